"""Messages of a season for the tests of panels: one of each class that needs no ruling and no boards."""

from data.season_posts import (
    AdmissionNotice,
    AgreedNotice,
    CheckInPost,
    CheckInReminder,
    DelayPost,
    EndNotice,
    EndPost,
    FreeSeatNotice,
    InvitationNotice,
    NoShowNotice,
    PauseNotice,
    PlayReminder,
    ProposalNotice,
    ReportNotice,
    RoundPost,
    SignupPost,
    StandingsPost,
    TableNotice,
    TimeReminder,
)

POSTS = (
    SignupPost(),
    CheckInPost(1),
    CheckInPost(2),
    RoundPost(1),
    StandingsPost(1),
    DelayPost(0),
    EndPost(),
)
NOTICES = (
    InvitationNotice(1),
    AdmissionNotice(1),
    EndNotice(1),
    TableNotice(1, 1),
    CheckInReminder(1, 24, 1),
    PlayReminder(1, 24, 1, 0),
    FreeSeatNotice(1, 2, 1),
    TimeReminder(1, 1, 1),
    ProposalNotice(1, 1, 1),
    AgreedNotice(1, 1, 1),
    NoShowNotice(1, 0, 1),
    PauseNotice(1, 1),
    ReportNotice(1, 1, 1),
)
