"""Everything that can go wrong, as one tree; each error carries its fields and names the remedy.

LibraError
├── InvalidInput         a value from outside that we refuse, by field
├── DocumentTooHard      an authored document whose hard rules do not fit their budget
├── NotFound             a record, collection or space that is not there
│   └── OpenElsewhere    what another daemon of the same store keeps open
├── Conflict             somebody else changed the record first
├── ConfigError          a setting that is unknown, ill-typed or out of range
├── ExtraMissing         a part whose packages are not installed
├── StoreError           the file
│   ├── StoreUnwritable  no permission, or a read-only place
│   ├── StoreFull        no room left on the disk
│   ├── StoreCorrupt     not a database, or a damaged one
│   ├── StoreTooNew      written by a newer version of this program
│   ├── StoreBusy        another process holds the file
│   ├── StoreReplaced    the file at its path is another one by now, or none
│   ├── StoreForked      used in a forked child of the process that opened it
│   └── StoreClosed      used after close
├── AssemblyBroken       a prompt that breaks a promise; raised in tests, told and counted in production
├── DaemonError          the daemon cannot listen, or a client cannot reach it
├── HostError            a host that we are to be installed in is missing, too old, or refuses
├── Forbidden            a token that has no right to what was asked
├── QuotaExceeded        a namespace that may hold no more
│   └── TooManyCalls     a namespace that was asked about too often within a minute
├── SummariserError      a summariser that cannot write a draft
└── EmbedderError        the model
    ├── ModelInvalid     a model folder that is missing, incomplete or not what its manifest says
    ├── EndpointError    a remote or local embedding server that fails or answers nonsense
    ├── SpaceMismatch    vectors of one embedder offered to a store that holds another's
    └── SelfCheckFailed  new vectors find known items less often than the old ones did

Errors know no transport: the daemon maps each class to a code.
"""


class LibraError(Exception):
    """The root. `message` says what happened, `remedy` what to do about it."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()


class InvalidInput(LibraError):
    """A value from outside that we refuse; `field` names it."""

    def __init__(self, field: str, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{field}: {problem}." if field else problem, remedy=remedy)
        self.field = field
        self.problem = problem


class DocumentTooHard(LibraError):
    """An authored document whose hard rules do not fit the share of the prompt that is theirs. Nothing was written."""

    def __init__(self, *, document: str, tokens: int, limit: int) -> None:
        super().__init__(
            f"{document}: its hard rules take {tokens:,} tokens, at most {limit:,} are allowed; it was not stored.",
            remedy="List items and front matter of a core document are hard: turn some into paragraphs, shorten them,"
            " or raise authored.prompt_tokens or assembly.augment_hard_share.",
        )
        self.document = document
        self.tokens = tokens
        self.limit = limit


class AssemblyBroken(LibraError):
    """A prompt that breaks one of assembly's promises: always a defect of ours."""

    def __init__(self, told: str) -> None:
        super().__init__(f"The assembled prompt breaks a promise: {told}", remedy="Please report it, with the receipt.")


class NotFound(LibraError):
    """Something asked for by name that is not there."""

    def __init__(self, kind: str, name: str, *, remedy: str = "") -> None:
        super().__init__(f"No {kind} named {name!r}." if name else f"There is no {kind} yet.", remedy=remedy)
        self.kind = kind
        self.name = name


class OpenElsewhere(NotFound):
    """What another daemon of the same store keeps open: behind a balancer the next call may reach it."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(
            kind, name, remedy="Ask again: a balancer leads to that one sooner or later. If it goes on, open it anew."
        )
        self.message = f"The {kind} {name!r} is of another daemon, or of this one before it was restarted."


class Conflict(LibraError):
    """An optimistic check failed: the thing changed after the caller read it. Nothing was written."""

    def __init__(self, what: str, *, expected: int, actual: int) -> None:
        super().__init__(
            f"{what} is at version {actual}, not {expected}; nothing was written.",
            remedy="Read it again and retry.",
        )
        self.what = what
        self.expected = expected
        self.actual = actual


class ConfigError(LibraError):
    """A setting that is unknown, ill-typed or out of range; `origin` says where it was written."""

    def __init__(self, key: str, problem: str, *, origin: str, remedy: str = "") -> None:
        super().__init__(f"{key} ({origin}): {problem}.", remedy=remedy)
        self.key = key
        self.problem = problem
        self.origin = origin


class ExtraMissing(LibraError):
    """A part whose packages are not installed, or do not load; `extra` is the name they are installed by."""

    def __init__(self, extra: str, *, needed_for: str, why: str = "") -> None:
        how = f"does not load ({why})" if why else "is not installed"
        super().__init__(
            f"The extra {extra!r} {how}, and {needed_for} needs it.",
            remedy=f"Run pip install 'libravdb-memory[{extra}]'.",
        )
        self.extra = extra


class StoreError(LibraError):
    """The store's file cannot do what was asked."""

    def __init__(self, path: str, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{path}: {problem}.", remedy=remedy)
        self.path = path
        self.problem = problem


class StoreUnwritable(StoreError):
    """No permission, or a read-only place."""


class StoreFull(StoreError):
    """No room left on the disk. What was acknowledged before is safe."""


class StoreCorrupt(StoreError):
    """Not a database, or a damaged one: what is sound can be read, nothing is written any more."""


class StoreTooNew(StoreError):
    """Written by a newer version of this program."""


class StoreBusy(StoreError):
    """Another process holds the file."""


class StoreReplaced(StoreError):
    """Deleted, renamed or replaced while it was open: what would be written could not be found again."""


class StoreForked(StoreError):
    """Used in a forked child: connections and threads are its parent's."""


class StoreClosed(StoreError):
    """Used after it was closed."""


class DaemonError(LibraError):
    """The daemon cannot listen, or a client cannot reach it."""


class HostError(LibraError):
    """A host that we are to be installed in (OpenClaw) is missing, too old, or refuses what it was told."""


class Forbidden(LibraError):
    """A token has no right to what was asked. Whether there is such a thing is not told."""


class QuotaExceeded(LibraError):
    """A namespace may hold no more, and nothing was written. `retry_after` are the seconds after which the same call
    can succeed by itself; 0 when waiting does not help."""

    retry_after = 0.0


class TooManyCalls(QuotaExceeded):
    """A namespace was asked about more often than it may be within a minute; nothing was done."""

    def __init__(self, message: str, *, retry_after: float, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.retry_after = retry_after


class SummariserError(LibraError):
    """A summariser cannot write a draft; `name` says which. Compaction goes on with the extractive one."""

    def __init__(self, name: str, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"Summariser {name}: {problem}.", remedy=remedy)
        self.name = name
        self.problem = problem


class EmbedderError(LibraError):
    """The embedder cannot do what was asked."""


class ModelInvalid(EmbedderError):
    """A model folder that is missing, incomplete or not what its manifest says."""

    def __init__(self, path: str, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{path}: {problem}.", remedy=remedy)
        self.path = path
        self.problem = problem


class EndpointError(EmbedderError):
    """An embedding server that fails, is too slow, or answers nonsense."""

    def __init__(self, url: str, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{url}: {problem}.", remedy=remedy)
        self.url = url
        self.problem = problem


class SpaceMismatch(EmbedderError):
    """Vectors of one embedder offered to a store that holds another's: they are never mixed."""

    def __init__(self, *, offered: str, active: str) -> None:
        super().__init__(
            f"The store's vectors were made by embedder {active}, these by {offered}; they are never mixed.",
            remedy="Run 'libravdb reembed' to rebuild the vectors with the configured embedder.",
        )
        self.offered = offered
        self.active = active


class SelfCheckFailed(EmbedderError):
    """New vectors find known items less often than the old ones did; the old ones stay in use."""

    def __init__(self, *, found: float, required: float) -> None:
        super().__init__(
            f"The new vectors find {found:.0%} of the known items, {required:.0%} are required;"
            " the old ones stay in use.",
            remedy="Check the model, or switch anyway with 'libravdb reembed --force'.",
        )
        self.found = found
        self.required = required


ERRORS_BY_NAME: dict[str, type[LibraError]] = {
    name: cls for name, cls in list(globals().items()) if isinstance(cls, type) and issubclass(cls, LibraError)
}
"""Every class of the tree by its name, to make an error again that crossed a wire."""
