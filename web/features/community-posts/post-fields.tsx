import { ImagePlus, Link2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { useController, useForm, useWatch } from 'react-hook-form'
import type { NewCommunityPost } from '../../../contracts/community-posts.ts'
import type { Media } from '../../../contracts/media.ts'
import { messageOf } from '../../lib/api-error.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextareaField, TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { fieldErrors, isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import { UploadListView } from '../media/upload-list-view.tsx'
import { useFileDrop } from '../media/use-file-drop.ts'
import { useUploads } from '../media/use-uploads.ts'
import { QuickActions, quickActionTarget } from '../posts/quick-actions.tsx'
import { TagsField } from '../posts/tags-field.tsx'
import { messageIn, type PostValues, resolverFor } from './composer-values.ts'
import { PollFields } from './poll-fields.tsx'
import { TypeChoice } from './type-choice.tsx'

const LinkPicker = lazy(async () => ({ default: (await import('./link-picker.tsx')).LinkPicker }))

type PostFieldsProps = {
  communityId: string
  /** The name under which the tab keeps what is typed: whose it is, and what for. */
  subject: string
  initial: PostValues
  media?: readonly Media[]
  /** A post keeps its type, its poll and its link. */
  isEdit?: boolean
  submitText: string
  pendingText: string
  onSubmit: (body: NewCommunityPost) => Promise<void>
  onCancel: () => void
}

/** The form of a post in a community: a new one, or one that is there already. */
export function PostFields({ communityId, subject, initial, media, isEdit = false, onSubmit, onCancel, ...words }: PostFieldsProps) {
  const [defaultValues] = useState(() => withDraft(subject, initial))
  const [resolver] = useState(() => resolverFor(communityId))
  const form = useForm<PostValues, unknown, NewCommunityPost>({ defaultValues, resolver, mode: 'onTouched' })
  const { control, formState, setValue } = form
  const dropDraft = useDraft(form, subject)
  const { uploads, state } = useUploads(subject, media)
  const [mediaError, setMediaError] = useState<string | null>(null)
  const [shows, setShows] = useState({ tags: defaultValues.tags.length > 0, link: defaultValues.link !== null })
  const element = useRef<HTMLFormElement>(null)
  const addFiles = (files: File[]) => {
    setMediaError(null)
    uploads.add(files)
  }
  const drop = useFileDrop(addFiles)
  const tags = useController({ control, name: 'tags' })
  const link = useController({ control, name: 'link' })
  const [postType, options, closesInDays, title, content] = useWatch({
    control,
    name: ['postType', 'options', 'closesInDays', 'title', 'content'],
  })

  /** Shows a part of the form and goes there. */
  function reveal(part: 'tags' | 'link') {
    setShows((before) => ({ ...before, [part]: true }))
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(`[data-part="${part}"] :is(input, button)`)?.focus())
  }

  const submit = form.handleSubmit(async (values) => {
    try {
      setMediaError(null)
      const mediaIds = await uploads.settle()
      if (!mediaIds) return setMediaError('Not everything could be uploaded. Try those again, or remove them.')
      await onSubmit({ ...values, mediaIds })
      dropDraft()
      uploads.finish()
    } catch (error) {
      console.error(error)
      showServerErrors(form, error, ['title', 'content', 'tags', 'link'])
      setMediaError(fieldErrors(error).mediaIds ?? null)
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      // The root shows the way to sign in again; the draft waits.
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form ref={element} noValidate onSubmit={submit} aria-label="Post" className="relative grid gap-5" {...drop.handlers}>
      {!isEdit && (
        <TypeChoice
          value={postType}
          onChange={(type) => setValue('postType', type, { shouldDirty: true, shouldValidate: formState.isSubmitted })}
        />
      )}
      <TextField control={control} name="title" label={titleLabels[postType]} maxLength={160} autoComplete="off" />
      {postType === 'poll' && !isEdit && (
        <PollFields
          options={options}
          days={closesInDays}
          error={messageIn(formState.errors.options)}
          onOptions={(next) => setValue('options', next, { shouldDirty: true, shouldValidate: formState.isSubmitted })}
          onDays={(days) => setValue('closesInDays', days, { shouldDirty: true })}
        />
      )}
      <TextareaField
        control={control}
        name="content"
        label={postType === 'poll' ? 'More about it' : 'Content'}
        optional={postType === 'poll'}
        rows={5}
        maxLength={10_000}
      />
      <ComplianceHints words={{ kind: 'community_post', texts: [title, content], postType, communityId }} />
      <UploadListView uploads={uploads} state={state} />
      {mediaError && (
        <div role="alert">
          <FieldError>{mediaError}</FieldError>
        </div>
      )}
      <QuickActions onFiles={addFiles} areTagsShown={shows.tags} onTags={() => reveal('tags')}>
        {!isEdit && (
          <Button variant="secondary" size="sm" className={quickActionTarget} aria-expanded={shows.link} onClick={() => reveal('link')}>
            <Link2 aria-hidden="true" />
            Add Link
          </Button>
        )}
      </QuickActions>
      {shows.tags && (
        <div data-part="tags">
          <TagsField ref={tags.field.ref} tags={tags.field.value} error={messageIn(tags.fieldState.error)} onChange={tags.field.onChange} />
        </div>
      )}
      {shows.link && !isEdit && (
        <div data-part="link">
          <Suspense>
            <LinkPicker link={link.field.value} error={messageIn(link.fieldState.error)} onChange={link.field.onChange} />
          </Suspense>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-3 border-line border-t pt-5">
        <Button variant="quiet" size="lg" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size="lg" pending={formState.isSubmitting} pendingText={words.pendingText} className="max-sm:flex-1">
          {words.submitText}
        </Button>
      </div>
      {drop.isOver && <DropHint>Drop photos and videos here</DropHint>}
    </form>
  )
}

const titleLabels = { discussion: 'Title', question: 'Your question', grow_update: 'Title', poll: 'What do you want to know?' } as const

const DropHint = ({ children }: { children: ReactNode }) => (
  <div className="pointer-events-none absolute -inset-3 z-10 grid place-items-center rounded-card border-2 border-leaf border-dashed bg-leaf-soft/95">
    <p className="flex items-center gap-2.5 font-medium text-leaf">
      <ImagePlus aria-hidden="true" className="size-5" />
      {children}
    </p>
  </div>
)
