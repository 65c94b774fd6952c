import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { appeal } from '#contracts/calls/moderation.ts'
import type { OwnDecision } from '#contracts/moderation.endpoints.ts'
import type { OwnAppeal } from '#contracts/moderation.ts'
import { addAppeal, refreshOwnDecisions } from '#web/entities/account-status/account-status.api.ts'
import { decisionHeadline, momentWords } from '#web/entities/account-status/account-status-words.ts'
import { Notice } from '#web/entities/account-status/notice.tsx'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { localTimeZone } from '#web/lib/format.ts'
import { isSuspended } from '#web/lib/route-access.ts'
import { ActionLink } from '#web/ui/action-link.tsx'
import { Ago, useNow } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors, useRestoredFocus } from '#web/ui/focus.ts'
import { Textarea } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'

export function OwnDecisionCard({ decision }: { decision: OwnDecision }) {
  const { path, appeal, mayAppeal, stands, undoneAt, createdAt, community } = decision
  const user = useCurrentUser()
  const now = useNow()
  // For suspended people, this screen replaces every page that needs an account.
  const isOpen = user !== null && !isSuspended(user, now)
  const [isAppealing, setAppealing] = useState(false)
  const card = useRestoredFocus<HTMLElement>(appeal ? 'appealed' : isAppealing ? 'appealing' : 'open')
  return (
    <Card asChild>
      <article {...card} aria-label={decisionHeadline(decision)}>
        <CardBody className="grid gap-4">
          <Notice
            decision={decision}
            reason={decision.reason}
            explanation={decision.explanation}
            title={decision.title}
            excerpt={decision.excerpt}
            level={3}
            stands={stands}
            aside={
              <p className="flex items-center gap-2.5 text-muted text-sm">
                {!stands && <Badge variant={undoneAt ? 'leaf' : 'neutral'}>{undoneAt ? 'Undone' : 'Ended'}</Badge>}
                <Ago at={createdAt} />
              </p>
            }
          />
          {((path && isOpen) || community) && (
            <p className="flex flex-wrap gap-x-5 gap-y-1.5 text-sm">
              {path && isOpen && (
                <ActionLink href={path} className={textLink}>
                  View
                </ActionLink>
              )}
              {community && (
                <span className="text-muted">
                  By the moderators of <span className="wrap-anywhere">{community.name}</span>
                </span>
              )}
            </p>
          )}
          {appeal && <AppealState appeal={appeal} />}
          {mayAppeal && !isAppealing && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t pt-4">
              <Button variant="secondary" onClick={() => setAppealing(true)}>
                Appeal
              </Button>
              <p className="text-muted text-sm">
                Until {momentWords(decision.appealUntil, localTimeZone())}. Another moderator will decide.
              </p>
            </div>
          )}
          {mayAppeal && isAppealing && <AppealForm decisionId={decision.id} onClose={() => setAppealing(false)} />}
        </CardBody>
      </article>
    </Card>
  )
}

const outcomes = {
  upheld: { title: 'Your appeal was reviewed, and the decision was upheld', variant: 'outline', word: 'Upheld' },
  overturned: { title: 'Your appeal was granted, and the decision was reversed', variant: 'leaf', word: 'Overturned' },
} as const

function AppealState({ appeal: { outcome, content, createdAt, decidedAt, answer } }: { appeal: OwnAppeal }) {
  const words = outcome && outcomes[outcome]
  return (
    <div className="grid gap-3 rounded-input bg-sunk p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <h4 className="font-semibold">{words ? words.title : 'Your appeal is waiting for another moderator'}</h4>
        {words ? <Badge variant={words.variant}>{words.word}</Badge> : <Badge variant="outline">Waiting</Badge>}
      </div>
      {answer !== '' && <p className="whitespace-pre-line wrap-anywhere">{answer}</p>}
      <div className="text-muted text-sm">
        <p>
          You wrote <Ago at={createdAt} />
          {decidedAt && (
            <>
              , decided <Ago at={decidedAt} />
            </>
          )}
        </p>
        <p className="mt-1 whitespace-pre-line wrap-anywhere">{content}</p>
      </div>
    </div>
  )
}

const maxLength = 2000

function AppealForm({ decisionId, onClose }: { decisionId: string; onClose: () => void }) {
  const client = useQueryClient()
  const key = `draft.appeal.${decisionId}`
  const form = useRef<HTMLFormElement>(null)
  const [content, setContent] = useState(() => {
    const stored = getTabItem(key)
    return typeof stored === 'string' ? stored : ''
  })
  const [isMissing, setMissing] = useState(false)
  const sending = useMutation({
    mutationFn: () => call(appeal, { params: { id: decisionId }, body: { content } }),
    onSuccess: (made) => {
      removeTabItem(key)
      addAppeal(client, decisionId, made)
      toast({ title: 'Appeal sent', description: 'Another moderator will review it. The answer will appear here.' })
    },
    onError: (error) => {
      // The decision was appealed in another window or undone in the meantime.
      if (error instanceof ApiError && error.status === 409) void refreshOwnDecisions(client)
    },
  })
  const fieldError = sending.error instanceof ApiError ? sending.error.fields.content : undefined
  const error = isMissing && content.trim() === '' ? 'Tell us why we should review it again' : fieldError

  function submit(event: FormEvent) {
    event.preventDefault()
    if (content.trim() === '') {
      showErrors(form.current, () => setMissing(true))
    } else if (!sending.isPending) sending.mutate()
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4 border-line border-t pt-4">
      <Field
        label="Why should we review it again?"
        hint="You can appeal once. Tell us what the moderator may have missed. A moderator who wasn’t involved will read this."
        error={error}
      >
        <Textarea
          rows={4}
          maxLength={maxLength}
          autoFocus
          value={content}
          onChange={(event) => {
            setContent(event.target.value)
            setMissing(false)
            setTabItem(key, event.target.value)
          }}
        />
      </Field>
      {sending.isError && !fieldError && <FormError>{messageOf(sending.error)}</FormError>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={sending.isPending} pendingText="Sending...">
          Send appeal
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
