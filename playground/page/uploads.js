// Encodes a chosen file for JSON.

/** Encode a file as `{filename, content_type, data}`, with the data in base64. */
export async function encodeFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return { filename: file.name, content_type: file.type || "application/octet-stream", data: btoa(text) };
}
