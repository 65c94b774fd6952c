import { type FormEvent, useRef, useState } from 'react'
import { type DecisionReason, decisionReasons, type ModerationAction, type ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { showErrors } from '../../ui/focus-first-error.ts'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { actionReasonTitle } from '../standing/standing-words.ts'
import { ActionChoice } from './action-choice.tsx'
import {
  actionGroups,
  type DecisionDraft,
  daysWords,
  decisionButton,
  decisionErrors,
  emptyDecision,
  isExplained,
  lastingOf,
  lengthsInDays,
  toggleAction,
} from './decision-draft.ts'
import { explanationFor } from './explanations.ts'
import { NoticePreview } from './notice-preview.tsx'
import { useShortcuts } from './shortcuts.ts'
import { useDecide } from './use-decide.ts'

const longest = 2000

type DecisionFormProps = {
  item: ModerationCaseDetail
  /** Somebody else decided first. */
  onConflict: () => void
}

/** What is done, and what is said about it: to the person, and among moderators. What was typed survives a reload. */
export function DecisionForm({ item, onConflict }: DecisionFormProps) {
  const key = `draft.decision.${item.id}`
  const form = useRef<HTMLFormElement>(null)
  const explanation = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState<DecisionDraft>(() => keptDraft(key, item))
  const [isRefused, setRefused] = useState(false)
  const isOfCommunity = item.actsFor === 'community'
  const change = (part: Partial<DecisionDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    remember(key, next)
  }
  const decide = useDecide(item, isOfCommunity, { onDecided: () => forget(key), onConflict })
  const sent = decide.error instanceof ApiError ? decide.error.fields : {}
  const errors: Record<string, string | undefined> = { ...sent, ...(isRefused ? decisionErrors(draft, isOfCommunity) : {}) }
  const told = isExplained(draft.actions)
  const lasting = lastingOf(draft.actions, isOfCommunity)

  const toggle = (action: ModerationAction) => {
    const actions = toggleAction(draft.actions, action)
    const days = lastingOf(actions, isOfCommunity) === 'must' && draft.days === null ? emptyDecision.days : draft.days
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
      <section aria-label="Decide">
        <CardBody>
          <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
            <ActionChoice item={item} open={open} chosen={draft.actions} onToggle={toggle} error={errors.actions} />
            {draft.actions.includes('ban') && !isOfCommunity && (
              <Checkbox
                checked={draft.hideContent}
                onChange={(event) => change({ hideContent: event.target.checked })}
                hint="Until the ban is undone."
              >
                Hide everything they wrote
              </Checkbox>
            )}
            {told && (
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
                        {lasting === 'may' && <option value="">For good</option>}
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
                  hint="The person reads this. Say what it was, and what would have been fine."
                  error={errors.explanation}
                >
                  <Textarea
                    ref={explanation}
                    rows={3}
                    maxLength={longest}
                    value={draft.explanation}
                    onChange={(event) => change({ explanation: event.target.value })}
                  />
                </Field>
                <NoticePreview item={item} draft={draft} isOfCommunity={isOfCommunity} />
              </>
            )}
            {draft.actions.length > 0 && (
              <Field label="Note" optional hint="For moderators alone." error={errors.note}>
                <Textarea
                  rows={2}
                  maxLength={longest}
                  value={draft.note}
                  onChange={(event) => change({ note: event.target.value })}
                  className="min-h-16!"
                />
              </Field>
            )}
            {decide.isError && Object.keys(sent).length === 0 && (
              <div role="alert">
                <FieldError>{messageOf(decide.error)}</FieldError>
              </div>
            )}
            <div>
              <Button
                type="submit"
                variant={draft.actions.some((action) => action === 'ban' || action === 'remove') ? 'danger' : 'primary'}
                pending={decide.isPending}
                pendingText="Deciding..."
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

/** What was chosen and typed before a reload, as far as it may still be done; else the reports' reason to begin with. */
function keptDraft(key: string, item: ModerationCaseDetail): DecisionDraft {
  const start: DecisionDraft = { ...emptyDecision, reason: item.reason, explanation: item.reason ? explanationFor(item.reason, '') : '' }
  const kept = recall(key) as Partial<DecisionDraft> | null | undefined
  if (typeof kept !== 'object' || kept === null || !Array.isArray(kept.actions)) return start
  return {
    ...start,
    actions: kept.actions.filter((action) => item.mayDo.includes(action)),
    ...(typeof kept.reason === 'string' && decisionReasons.includes(kept.reason) ? { reason: kept.reason } : {}),
    ...(typeof kept.explanation === 'string' ? { explanation: kept.explanation } : {}),
    ...(typeof kept.note === 'string' ? { note: kept.note } : {}),
    ...(typeof kept.days === 'number' || kept.days === null ? { days: kept.days } : {}),
    ...(typeof kept.hideContent === 'boolean' ? { hideContent: kept.hideContent } : {}),
  }
}
