import { useMutation, useQueryClient } from '@tanstack/react-query'
import { decideCase, undoModerationDecision } from '#contracts/calls/moderation.ts'
import type { ModerationCaseDetail } from '#contracts/moderation.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { toast } from '#web/ui/toast-store.ts'
import { type DecisionDraft, decisionOf } from './decision-draft.ts'
import { doneNames } from './desk-words.ts'
import { refreshDesk } from './moderation.api.ts'

type Reactions = { onDecided: () => void; onConflict: () => void }

/** Decides a case. The toast offers Undo; on a conflict, the first decision is shown. */
export function useDecide(item: ModerationCaseDetail, isOfCommunity: boolean, { onDecided, onConflict }: Reactions) {
  const client = useQueryClient()
  const undo = useUndo(item.id)
  const subject = `decision.${item.id}`
  return useMutation({
    mutationFn: (draft: DecisionDraft) => {
      const body = decisionOf(draft, isOfCommunity)
      return call(decideCase, { params: { id: item.id }, body }, { idempotencyKey: creationKey(subject, body) })
    },
    onSuccess: async ({ decisions }) => {
      dropCreationKey(subject)
      onDecided()
      const ids = decisions.filter(({ mayUndo }) => mayUndo).map(({ id }) => id)
      toast({
        title: decisions.map(({ action }) => doneNames[action]).join(', '),
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
      toast({ title: 'The decision wasn’t saved', description: messageOf(error), variant: 'destructive' })
      onConflict()
      void refreshDesk(client, item.id)
    },
  })
}

/** Recorded reason for Undo from a toast, which doesn't ask for one. */
const undoneAtOnce = 'Undone right after the decision.'

/** Reverts actions one by one; together they were one decision. */
export function useUndo(caseId: string | null) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, reason }: { ids: readonly string[]; reason: string }) => {
      for (const id of ids) await call(undoModerationDecision, { params: { id }, body: { reason } })
    },
    onSuccess: () => toast({ title: 'Undone', description: 'The decision’s effects were reversed.' }),
    onError: (error) => toast({ title: 'The decision wasn’t undone', description: messageOf(error), variant: 'destructive' }),
    onSettled: () => refreshDesk(client, caseId),
  })
}
