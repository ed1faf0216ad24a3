"""The notes of agents behind a daemon."""

from __future__ import annotations

from libravdb.client.remote_part import FOREVER, RemotePart
from libravdb.model import DreamPromotion
from libravdb.model.namespaces import named
from libravdb.wire.methods import notes


class RemoteNotes(RemotePart):
    def promote(self, diary: str, *, source_doc: str, namespace: str, is_dry: bool = False) -> DreamPromotion:
        params = notes.PromoteDiaryParams(namespace=named(namespace), source_doc=source_doc, text=diary, is_dry=is_dry)
        return self._client.call(notes.PROMOTE_DIARY, params, seconds=FOREVER)
