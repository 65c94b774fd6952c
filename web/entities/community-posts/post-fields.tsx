import { BarChart3, CircleHelp, ImagePlus, Link2, MessagesSquare, Plus, Sprout, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { useController, useForm, useWatch } from 'react-hook-form'
import type { NewCommunityPost } from '#contracts/community-posts.ts'
import { pollLimits } from '#contracts/limits.ts'
import type { Media } from '#contracts/media.ts'
import type { CommunityPostType } from '#contracts/posts.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { UploadListView, useUploads } from '#web/entities/media/upload-list-view.tsx'
import { useFileDrop } from '#web/entities/media/use-file-drop.ts'
import { QuickActions, quickActionTarget, TagsField } from '#web/entities/posts/composer-fields.tsx'
import { MentionField } from '#web/entities/posts/mention-area.tsx'
import { communityPostTypes } from '#web/entities/posts/post-words.ts'
import { TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isSignedOut, otherErrors, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Field, FieldGroup, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { messageIn, type PostValues, resolverFor } from './composer-values.ts'

const LinkPicker = lazy(async () => ({ default: (await import('./link-picker.tsx')).LinkPicker }))

const shownFields = ['title', 'content', 'tags', 'link'] as const

type PostFieldsProps = {
  communityId: string
  /** Names the draft by person and purpose. */
  subject: string
  initial: PostValues
  media?: readonly Media[]
  isEdit?: boolean
  submitText: string
  pendingText: string
  onSubmit: (body: NewCommunityPost) => Promise<void>
  onCancel: () => void
}

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

  function reveal(part: 'tags' | 'link') {
    setShows((before) => ({ ...before, [part]: true }))
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(`[data-part="${part}"] :is(input, button)`)?.focus())
  }

  const submit = form.handleSubmit(async (values) => {
    try {
      setMediaError(null)
      const mediaIds = await uploads.settle()
      if (!mediaIds) return setMediaError('Some files couldn’t be uploaded. Retry or remove them.')
      await onSubmit({ ...values, mediaIds })
      dropDraft()
      uploads.finish()
    } catch (error) {
      console.error(error)
      showServerErrors(form, error, shownFields)
      setMediaError(otherErrors(error, shownFields))
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      // This makes the root route show the sign-in form. The draft is saved.
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
      <MentionField
        control={control}
        communityId={communityId}
        label={postType === 'poll' ? 'Details' : 'Content'}
        optional={postType === 'poll'}
        rows={5}
        maxLength={10_000}
      />
      <ComplianceHints words={{ kind: 'community_post', texts: [title, content], postType, communityId }} />
      <UploadListView uploads={uploads} state={state} />
      <FormError>{mediaError}</FormError>
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

type PollFieldsProps = {
  options: readonly string[]
  days: number
  error: string | undefined
  onOptions: (options: string[]) => void
  onDays: (days: number) => void
}

const durations = [1, 3, 7, 14, 30]

function PollFields({ options, days, error, onOptions, onDays }: PollFieldsProps) {
  const list = useRef<HTMLOListElement>(null)
  const isFull = options.length >= pollLimits.maxOptions

  function focus(at: number) {
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[at]?.focus())
  }
  function add() {
    onOptions([...options, ''])
    focus(options.length)
  }
  function remove(at: number) {
    onOptions(options.filter((_option, other) => other !== at))
    focus(Math.max(0, at - 1))
  }
  return (
    <div className="grid gap-4">
      <FieldGroup legend="Options" error={error} hint="You can’t change them after posting.">
        <ol ref={list} className="grid gap-2">
          {options.map((option, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option has no ID, only a position
            <li key={at} className="flex items-center gap-1.5">
              <Input
                aria-label={`Option ${at + 1}`}
                placeholder={`Option ${at + 1}`}
                value={option}
                maxLength={pollLimits.optionLength}
                autoComplete="off"
                enterKeyHint="next"
                aria-invalid={Boolean(error)}
                onChange={(event) => onOptions(options.map((other, place) => (place === at ? event.target.value : other)))}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                  // Enter would submit the form.
                  event.preventDefault()
                  if (at < options.length - 1) focus(at + 1)
                  else if (!isFull && option.trim() !== '') add()
                }}
              />
              {options.length > pollLimits.minOptions && (
                <IconButton label={`Remove option ${at + 1}`} size="sm" onClick={() => remove(at)}>
                  <X aria-hidden="true" />
                </IconButton>
              )}
            </li>
          ))}
        </ol>
        {!isFull && (
          <Button variant="secondary" size="sm" className="mt-1 justify-self-start pointer-coarse:min-h-11" onClick={add}>
            <Plus aria-hidden="true" />
            Add option
          </Button>
        )}
      </FieldGroup>
      <Field label="Open for" className="sm:max-w-48">
        <Select value={days} onChange={(event) => onDays(Number(event.target.value))}>
          {durations.map((each) => (
            <option key={each} value={each}>
              {each === 1 ? '1 day' : `${each} days`}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}

const icons = { discussion: MessagesSquare, question: CircleHelp, grow_update: Sprout, poll: BarChart3 }

function TypeChoice({ value, onChange }: { value: CommunityPostType; onChange: (type: CommunityPostType) => void }) {
  const name = useId()
  return (
    <fieldset aria-describedby={`${name}-hint`}>
      <legend className="mb-2 font-medium text-sm">What kind of post is it?</legend>
      <div className="flex flex-wrap gap-2">
        {(Object.keys(communityPostTypes) as CommunityPostType[]).map((type) => {
          const Icon = icons[type]
          return (
            <label
              key={type}
              className="relative inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-full border border-line bg-surface px-3.5 py-1 font-medium text-sm transition-colors hover:border-edge has-checked:border-leaf has-checked:bg-leaf-soft has-checked:text-leaf has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2 pointer-coarse:min-h-11"
            >
              <input
                type="radio"
                name={name}
                value={type}
                checked={value === type}
                onChange={() => onChange(type)}
                className="absolute inset-0 cursor-pointer appearance-none rounded-full opacity-0"
              />
              <Icon aria-hidden="true" className="size-4" />
              {communityPostTypes[type].label}
            </label>
          )
        })}
      </div>
      <p id={`${name}-hint`} className="mt-2 text-muted text-sm">
        {communityPostTypes[value].hint}.
      </p>
    </fieldset>
  )
}
