import { useMutation, useQueryClient } from '@tanstack/react-query'
import { decideCase, type ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { type DecisionDraft, decisionOf } from './decision-draft.ts'
import { doneNames } from './desk-words.ts'
import { refreshDesk } from './moderation.api.ts'
import { undoneAtOnce, useUndo } from './use-undo.ts'

type Reactions = { onDecided: () => void; onConflict: () => void }

/** Decides a case. The toast takes it back; whoever comes second reads what the first decided. */
export function useDecide(item: ModerationCaseDetail, isOfCommunity: boolean, { onDecided, onConflict }: Reactions) {
  const client = useQueryClient()
  const undo = useUndo(item.id)
  const subject = `decision.${item.id}`
  return useMutation({
    mutationFn: (draft: DecisionDraft) => {
      const body = decisionOf(draft, isOfCommunity)
      return call(decideCase, { params: { id: item.id }, body }, { idempotencyKey: creationKey(subject, body) })
    },
    onSuccess: async ({ deeds }) => {
      dropCreationKey(subject)
      onDecided()
      const ids = deeds.filter(({ mayUndo }) => mayUndo).map(({ id }) => id)
      toast({
        title: deeds.map(({ action }) => doneNames[action]).join(', '),
        description: item.person ? item.person.name : undefined,
        ...(ids.length > 0
          ? { action: { label: 'Undo', onClick: () => undo.mutate({ ids: ids.toReversed(), reason: undoneAtOnce }) } }
          : {}),
      })
      await refreshDesk(client, item.id)
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 409) return
      dropCreationKey(subject)
      toast({ title: 'Not decided', description: messageOf(error), variant: 'destructive' })
      onConflict()
      void refreshDesk(client, item.id)
    },
  })
}
