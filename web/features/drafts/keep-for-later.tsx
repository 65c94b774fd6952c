import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { createDraft, scheduleDraft } from '../../../contracts/drafts.ts'
import type { NewPost } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { refreshDrafts } from './drafts.api.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { scheduleWords } from './use-draft-actions.ts'

type KeepForLaterProps = {
  /** Whose form it is. */
  subject: string
  /** Null: under the own name. */
  business: { id: string; slug: string } | null
  /** What the form holds, once its uploads are there; null when something is wrong, which the form then shows. */
  read: (check: { whole: boolean }) => Promise<NewPost | null>
  showErrors: (error: unknown) => void
  /** The form has done its work. */
  onKept: () => void
}

/** The two other ends of the form of a new post: a draft, and a time. */
export function KeepForLater({ subject, business, read, showErrors, onKept }: KeepForLaterProps) {
  const client = useQueryClient()
  const router = useRouter()
  const [toSchedule, setToSchedule] = useState<NewPost | null>(null)
  const [pending, setPending] = useState<'draft' | 'time' | null>(null)
  const keySubject = `draft-of.${subject}`

  async function keep(post: NewPost, publishAt?: string) {
    const { title, content, postType, isExclusive, mediaIds, imageUrl, place, tags } = post
    const body = { title, content, postType, isExclusive, mediaIds, imageUrl, place, tags, businessId: business?.id ?? null }
    const { id } = await call(createDraft, { body }, { idempotencyKey: creationKey(keySubject, body) })
    // From here on it is kept, whatever becomes of the time.
    const refusal = publishAt ? await scheduled(id, publishAt) : null
    dropCreationKey(keySubject)
    onKept()
    if (refusal) toast({ title: 'Saved as a draft, but not scheduled', description: refusal, variant: 'destructive' })
    else if (publishAt) toast({ title: 'Post scheduled', description: scheduleWords(publishAt) })
    else toast({ title: 'Saved as a draft' })
    await refreshDrafts(client)
    if (business) await router.navigate({ to: '/business-dashboard', search: { business: business.slug, tab: 'social' } })
  }

  async function reading(end: 'draft' | 'time', then: (post: NewPost) => unknown) {
    setPending(end)
    try {
      const post = await read({ whole: end === 'time' })
      if (post) await then(post)
    } catch (error) {
      showErrors(error)
      toast({ title: 'Error', description: `The draft could not be saved. ${messageOf(error)}`, variant: 'destructive' })
    } finally {
      setPending(null)
    }
  }

  return (
    <>
      <Button
        variant="secondary"
        size="lg"
        pending={pending === 'draft'}
        pendingText="Saving..."
        onClick={() => void reading('draft', (post) => keep(post))}
      >
        Save as draft
      </Button>
      <Button variant="secondary" size="lg" pending={pending === 'time'} onClick={() => void reading('time', setToSchedule)}>
        Schedule
      </Button>
      <ScheduleDialog
        open={toSchedule !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) setToSchedule(null)
        }}
        businessId={business?.id ?? null}
        onSchedule={async (publishAt) => {
          if (toSchedule) await keep(toSchedule, publishAt)
        }}
      />
    </>
  )
}

/** Why it was not, or null when it was. */
async function scheduled(id: string, publishAt: string): Promise<string | null> {
  try {
    await call(scheduleDraft, { params: { id }, body: { publishAt } })
    return null
  } catch (error) {
    console.error(error)
    return messageOf(error)
  }
}
