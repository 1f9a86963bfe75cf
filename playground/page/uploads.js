// One idea: a chosen file as JSON can carry it.

/** `{filename, content_type, data}`, the data in base64. */
export async function encodeFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return { filename: file.name, content_type: file.type || "application/octet-stream", data: btoa(text) };
}
