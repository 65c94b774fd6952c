import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { decideCase, undoModerationDecision } from '#contracts/calls/moderation.ts'
import { decisionReasons, explainedActions, untitled } from '#contracts/moderation.rules.ts'
import type { DecisionReason, ModerationAction, ModerationCaseDetail } from '#contracts/moderation.ts'
import { dayMs } from '#contracts/time.ts'
import { actionReasonTitle } from '#web/entities/account-status/account-status-words.ts'
import { Notice } from '#web/entities/account-status/notice.tsx'
import { subjectWords } from '#web/entities/reports/report-words.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useNow } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Field, FieldError, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Textarea } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import {
  actionGroups,
  type DecisionDraft,
  daysWords,
  decisionButton,
  decisionErrors,
  decisionOf,
  durationRule,
  emptyDecision,
  explanationFor,
  lengthsInDays,
  needsExplanation,
  toggleAction,
} from './decision-draft.ts'
import { actionMeaning, actionNames, doneWords } from './desk-words.ts'
import { refreshDesk } from './moderation.api.ts'
import { useShortcuts } from './shortcuts.tsx'

const maxLength = 2000

type DecisionFormProps = {
  item: ModerationCaseDetail
  onConflict: () => void
}

export function DecisionForm({ item, onConflict }: DecisionFormProps) {
  const key = `draft.decision.${item.id}`
  const form = useRef<HTMLFormElement>(null)
  const explanation = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState<DecisionDraft>(() => storedDraft(key, item))
  const [isRefused, setRefused] = useState(false)
  const isOfCommunity = item.actsFor === 'community'
  const change = (part: Partial<DecisionDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    setTabItem(key, next)
  }
  const decide = useDecide(item, isOfCommunity, { onDecided: () => removeTabItem(key), onConflict })
  const sent = fieldErrors(decide.error)
  const errors: Record<string, string | undefined> = { ...sent, ...(isRefused ? decisionErrors(draft, isOfCommunity) : {}) }
  const explained = needsExplanation(draft.actions)
  const lasting = durationRule(draft.actions, isOfCommunity)

  const toggle = (action: ModerationAction) => {
    const actions = toggleAction(draft.actions, action)
    const days = durationRule(actions, isOfCommunity) === 'must' && draft.days === null ? emptyDecision.days : draft.days
    change({ actions, days })
  }
  const open = [...actionGroups.alone, ...actionGroups.things, ...actionGroups.people].filter((action) => item.mayDo.includes(action))
  useShortcuts({
    ...Object.fromEntries(open.map((action, place) => [String(place + 1), () => toggle(action)])),
    e: () => explanation.current?.focus(),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (Object.keys(decisionErrors(draft, isOfCommunity)).length > 0) {
      showErrors(form.current, () => setRefused(true))
    } else if (!decide.isPending) decide.mutate(draft)
  }

  return (
    <Card asChild className="overflow-visible!">
      <section aria-label="Decision">
        <CardBody>
          <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
            <ActionChoice item={item} open={open} chosen={draft.actions} onToggle={toggle} error={errors.actions} />
            {draft.actions.includes('ban') && !isOfCommunity && (
              <Checkbox
                checked={draft.hideContent}
                onChange={(event) => change({ hideContent: event.target.checked })}
                hint="Until the ban is lifted."
              >
                Hide everything they wrote
              </Checkbox>
            )}
            {explained && (
              <>
                <div className="grid gap-5 @lg:grid-cols-2">
                  <Field label="Reason" error={errors.reason}>
                    <Select
                      value={draft.reason ?? ''}
                      onChange={(event) => {
                        const reason = event.target.value as DecisionReason
                        change({ reason, explanation: explanationFor(reason, draft.explanation) })
                      }}
                    >
                      <option value="" disabled>
                        Choose a reason
                      </option>
                      {decisionReasons
                        .filter((reason) => reason !== 'community_rules' || item.community !== null)
                        .map((reason) => (
                          <option key={reason} value={reason}>
                            {actionReasonTitle(reason)}
                          </option>
                        ))}
                    </Select>
                  </Field>
                  {lasting !== 'no' && (
                    <Field label="How long" error={errors.days}>
                      <Select value={draft.days ?? ''} onChange={(event) => change({ days: Number(event.target.value) || null })}>
                        {lasting === 'may' && <option value="">Permanently</option>}
                        {lengthsInDays.map((days) => (
                          <option key={days} value={days}>
                            {daysWords(days)}
                          </option>
                        ))}
                      </Select>
                    </Field>
                  )}
                </div>
                <Field
                  label="Explanation"
                  hint="The person will read this. Explain what was wrong and what would have been fine."
                  error={errors.explanation}
                >
                  <Textarea
                    ref={explanation}
                    rows={3}
                    maxLength={maxLength}
                    value={draft.explanation}
                    onChange={(event) => change({ explanation: event.target.value })}
                  />
                </Field>
                <NoticePreview item={item} draft={draft} isOfCommunity={isOfCommunity} />
              </>
            )}
            {draft.actions.length > 0 && (
              <Field label="Note" optional hint="Only moderators see this." error={errors.note}>
                <Textarea
                  rows={2}
                  maxLength={maxLength}
                  value={draft.note}
                  onChange={(event) => change({ note: event.target.value })}
                  className="min-h-16!"
                />
              </Field>
            )}
            {decide.isError && Object.keys(sent).length === 0 && <FormError>{messageOf(decide.error)}</FormError>}
            <div>
              <Button
                type="submit"
                variant={draft.actions.some((action) => action === 'ban' || action === 'remove') ? 'danger' : 'primary'}
                pending={decide.isPending}
                pendingText="Submitting..."
              >
                {decisionButton(draft, isOfCommunity)}
              </Button>
            </div>
          </form>
        </CardBody>
      </section>
    </Card>
  )
}

function storedDraft(key: string, item: ModerationCaseDetail): DecisionDraft {
  const start: DecisionDraft = { ...emptyDecision, reason: item.reason, explanation: item.reason ? explanationFor(item.reason, '') : '' }
  const stored = getTabItem(key) as Partial<DecisionDraft> | null | undefined
  if (typeof stored !== 'object' || stored === null || !Array.isArray(stored.actions)) return start
  return {
    ...start,
    actions: stored.actions.filter((action) => item.mayDo.includes(action)),
    ...(typeof stored.reason === 'string' && decisionReasons.includes(stored.reason) ? { reason: stored.reason } : {}),
    ...(typeof stored.explanation === 'string' ? { explanation: stored.explanation } : {}),
    ...(typeof stored.note === 'string' ? { note: stored.note } : {}),
    ...(typeof stored.days === 'number' || stored.days === null ? { days: stored.days } : {}),
    ...(typeof stored.hideContent === 'boolean' ? { hideContent: stored.hideContent } : {}),
  }
}

type ActionChoiceProps = {
  item: ModerationCaseDetail
  open: readonly ModerationAction[]
  chosen: readonly ModerationAction[]
  onToggle: (action: ModerationAction) => void
  error: string | undefined
}

function ActionChoice({ item, open, chosen, onToggle, error }: ActionChoiceProps) {
  const groups = [
    {
      name: item.subject === 'person' ? 'Their profile' : `The ${subjectWords[item.subject]}`,
      actions: open.filter((action) => !actionGroups.people.includes(action)),
    },
    { name: item.person?.name ?? 'The person', actions: open.filter((action) => actionGroups.people.includes(action)) },
  ].filter(({ actions }) => actions.length > 0)
  return (
    <div className="grid gap-4">
      {groups.map(({ name, actions }) => (
        <fieldset key={name} className="min-w-0">
          <legend className="mb-2 max-w-full truncate font-medium text-sm">{name}</legend>
          <div className="flex flex-wrap gap-2">
            {actions.map((action) => (
              <Chip
                key={action}
                pressed={chosen.includes(action)}
                // Helps find the first error to focus.
                aria-invalid={error ? true : undefined}
                title={actionMeaning(action, item)}
                onClick={() => onToggle(action)}
              >
                <span aria-hidden="true" className="text-xs tabular-nums opacity-70 pointer-coarse:hidden">
                  {open.indexOf(action) + 1}
                </span>
                {actionNames[action]}
              </Chip>
            ))}
          </div>
        </fieldset>
      ))}
      <div aria-live="polite" className="grid gap-0.5 text-muted text-sm empty:hidden">
        {chosen.map((action) => (
          <p key={action}>
            {actionNames[action]}: {lowerFirst(actionMeaning(action, item))}.
          </p>
        ))}
      </div>
      {error && <FieldError>{error}</FieldError>}
    </div>
  )
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

type NoticePreviewProps = { item: ModerationCaseDetail; draft: DecisionDraft; isOfCommunity: boolean }

/** The person sees this notice in their account status. */
function NoticePreview({ item, draft, isOfCommunity }: NoticePreviewProps) {
  const now = useNow()
  const explained = decisionOf(draft, isOfCommunity).actions.filter(({ action }) => explainedActions.includes(action))
  return (
    <section aria-label="Notice preview" className="grid gap-4 rounded-input border border-edge/60 border-dashed p-4">
      <p className="text-muted text-sm">{item.person ? `What ${item.person.name} will read` : 'What the person will read'}</p>
      {explained.map(({ action, ...given }) => (
        <Notice
          key={action}
          level={4}
          stands
          decision={{
            action,
            subject: item.subject,
            endsAt: 'days' in given && given.days ? new Date(now + given.days * dayMs).toISOString() : null,
            community: isOfCommunity ? item.community : null,
          }}
          reason={draft.reason}
          explanation={draft.explanation}
          title={item.title}
          excerpt={untitled.includes(item.subject) ? item.excerpt : ''}
        />
      ))}
      <p className="text-muted text-sm">They can appeal once. A different moderator will decide.</p>
    </section>
  )
}

type Reactions = { onDecided: () => void; onConflict: () => void }

/** The toast offers Undo. On a conflict, shows the first decision, or the content as it is now. */
function useDecide(item: ModerationCaseDetail, isOfCommunity: boolean, { onDecided, onConflict }: Reactions) {
  const client = useQueryClient()
  const undo = useUndo(item.id)
  const subject = `decision.${item.id}`
  return useMutation({
    mutationFn: (draft: DecisionDraft) => {
      const body = { ...decisionOf(draft, isOfCommunity), actsFor: item.actsFor, version: item.version }
      return call(decideCase, { params: { id: item.id }, body }, { idempotencyKey: creationKey(subject, body) })
    },
    onSuccess: async ({ decisions }) => {
      dropCreationKey(subject)
      onDecided()
      const ids = decisions.filter(({ mayUndo }) => mayUndo).map(({ id }) => id)
      toast({
        title: doneWords(decisions.map(({ action }) => action)),
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

/** A toast's Undo doesn't ask for a reason, so this is recorded. */
const undoneAtOnce = 'Undone right after the decision.'

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
