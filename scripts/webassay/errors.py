"""The exceptions a user can meet, drawn once.

WebassayError
├── ConfigError        a key, value or file of the configuration
├── TaskError          a task file or one of its records
├── TrajectoryError    a trajectory folder that cannot be read
├── DatasetError       a dataset that is missing or differs from its pin
├── BundleError        a bundle that cannot be shared as it is, or is not what it says
├── LabelsError        a file of labels, or a codebook
├── EnvironmentFault   browser, site, disk or worker failed: the attempt is aborted, never scored
│   ├── DiskFull       nothing more can be written: the whole run stops
│   └── ModelError     no endpoint of a language model gave an answer
│       ├── StoreError a stored answer is missing where none may be asked for, or broken
│       ├── PromptTooLong  the question is longer than the model's context: whoever asks is at fault
│       └── PurseEmpty     a question was not asked, since it could cost more than there is left
├── AgentFault         the system under test failed by itself: final, never retried
│   └── OverBudget     it used up its steps or its time
├── BudgetSpent        the run has taken what it may: it stopped between two tasks, and can go on
├── JudgeError         a judge could not reach a verdict; the trajectory stays ungraded
└── BusyError          another process works in the same place
"""

import errno

NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NOT_OURS = {errno.EACCES, errno.EPERM, errno.EROFS}
"""What a folder that may not be written, or a file that may not be read, answers."""


class WebassayError(Exception):
    """Anything a user can mend; its text names the file or key and the way out."""


def mended_by_user(error: OSError) -> str:
    """In one line, what a full disk or a folder of somebody else's came to; empty for any other error."""
    if error.errno in NO_SPACE:
        return f"{error}; make room and run the same command again"
    if error.errno in NOT_OURS:
        return f"{error}; run it where you may read and write, or change who may (chmod, chown)"
    return ""


class ConfigError(WebassayError):
    pass


class TaskError(WebassayError):
    pass


class TrajectoryError(WebassayError):
    pass


class DatasetError(WebassayError):
    pass


class BundleError(WebassayError):
    pass


class LabelsError(WebassayError):
    pass


class EnvironmentFault(WebassayError):
    pass


class DiskFull(EnvironmentFault):
    pass


class ModelError(EnvironmentFault):
    pass


class StoreError(ModelError):
    pass


class PromptTooLong(ModelError):
    pass


class PurseEmpty(ModelError):
    pass


class AgentFault(WebassayError):
    pass


class OverBudget(AgentFault):
    pass


class BudgetSpent(WebassayError):
    pass


class JudgeError(WebassayError):
    pass


class BusyError(WebassayError):
    pass
