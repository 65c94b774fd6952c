import { ImagePlus } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useController, useForm, useWatch } from 'react-hook-form'
import type { listMyBusinesses } from '../../../contracts/businesses.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { Media } from '../../../contracts/media.ts'
import type { NewPost } from '../../../contracts/posts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextareaField, TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { fieldErrors, isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { UploadListView } from '../media/upload-list-view.tsx'
import { useFileDrop } from '../media/use-file-drop.ts'
import { useUploads } from '../media/use-uploads.ts'
import { PlaceField } from '../onboarding/place-field.tsx'
import { draftResolver, type PostValues, postFields, postResolver, unchecked } from './composer-schema.ts'
import { PostHints } from './post-hints.tsx'
import { PostTypeField } from './post-type-field.tsx'
import { personalTypes } from './post-words.ts'
import { QuickActions } from './quick-actions.tsx'
import { TagsField } from './tags-field.tsx'
import { WriterField } from './writer-field.tsx'

type PostFormProps = {
  /** The name under which the tab keeps what is typed: whose it is, and what for. */
  subject: string
  initial: PostValues
  media?: readonly Media[]
  ownName: string
  businesses: ResponseOf<typeof listMyBusinesses>
  /** A post keeps the name it went out under, and has its picture already. */
  isEdit: boolean
  submitText: string
  pendingText: string
  failure: string
  /** A picture of another site can be named: of what is not published yet. */
  hasImageUrl?: boolean | undefined
  /** The words may be missing: it is kept as a draft. */
  isUnfinished?: boolean | undefined
  /** Buttons that do something else with what is in the form than to send it. */
  others?: ((tools: PostFormTools) => ReactNode) | undefined
  /** Sends it, and tells what has come of it. */
  onSubmit: (body: NewPost) => Promise<void>
  cancel: ReactNode
}

export type PostFormTools = {
  /** Empty: the own name. */
  businessId: string
  /** What the form holds, its uploads with it; with `whole`, only if it can be published. Null: what is wrong is shown. */
  read: (check: { whole: boolean }) => Promise<NewPost | null>
  /** Shows what the server found wrong. */
  showErrors: (error: unknown) => void
  /** Forgets what was typed: it is kept elsewhere now. */
  forget: () => void
}

/** The form of a post: a new one, or one that is there already. */
export function PostForm({
  subject,
  initial,
  media,
  ownName,
  businesses,
  isEdit,
  hasImageUrl = !isEdit,
  isUnfinished = false,
  others,
  onSubmit,
  cancel,
  ...words
}: PostFormProps) {
  const [defaultValues] = useState(() => currentChoices(withDraft(subject, initial), businesses))
  const form = useForm<PostValues, unknown, NewPost>({
    defaultValues,
    resolver: isUnfinished ? draftResolver : postResolver,
    mode: 'onTouched',
  })
  const { control, formState, setValue } = form
  const dropDraft = useDraft(form, subject)
  const { uploads, state } = useUploads(subject, media)
  const [mediaError, setMediaError] = useState<string | null>(null)
  const [shows, setShows] = useState({ place: defaultValues.place !== '', tags: defaultValues.tags.length > 0 })
  const formElement = useRef<HTMLFormElement>(null)
  const addFiles = (files: File[]) => {
    setMediaError(null)
    uploads.add(files)
  }
  const drop = useFileDrop(addFiles)
  const businessId = useWatch({ control, name: 'businessId' })
  const postType = useController({ control, name: 'postType' })
  const isExclusive = useController({ control, name: 'isExclusive' })
  const tags = useController({ control, name: 'tags' })

  const business = businesses.find(({ id }) => id === businessId) ?? null

  function chooseWriter(id: string) {
    setValue('businessId', id, { shouldDirty: true })
    const isLicensed = businesses.find((each) => each.id === id)?.isLicenseVerified ?? false
    if (!isLicensed && !personalTypes.includes(postType.field.value)) setValue('postType', 'update')
  }

  /** Shows a part of the form and goes there. */
  function reveal(part: 'place' | 'tags') {
    setShows((before) => ({ ...before, [part]: true }))
    requestAnimationFrame(() => formElement.current?.querySelector<HTMLInputElement>(`[data-part="${part}"] input`)?.focus())
  }

  async function withUploads(body: NewPost): Promise<NewPost | null> {
    setMediaError(null)
    const mediaIds = await uploads.settle()
    if (!mediaIds) setMediaError('Not everything could be uploaded. Try those again, or remove them.')
    return mediaIds && { ...body, mediaIds }
  }

  function showErrors(error: unknown) {
    console.error(error)
    showServerErrors(form, error, postFields)
    setMediaError(fieldErrors(error).mediaIds ?? null)
  }

  function forget() {
    dropDraft()
    uploads.finish()
  }

  async function read({ whole }: { whole: boolean }): Promise<NewPost | null> {
    if (!whole) return withUploads(unchecked(form.getValues()))
    const checked: NewPost[] = []
    await form.handleSubmit((body) => void checked.push(body))()
    return checked[0] ? withUploads(checked[0]) : null
  }

  const submit = form.handleSubmit(async (values) => {
    try {
      const body = await withUploads(values)
      if (!body) return
      await onSubmit(body)
      forget()
    } catch (error) {
      showErrors(error)
      // Why somebody may not is worth more than that it failed.
      const isRefused = error instanceof ApiError && error.code === 'forbidden'
      toast({ title: 'Error', description: isRefused ? messageOf(error) : words.failure, variant: 'destructive' })
      // The root shows the way to sign in again; the draft waits.
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form ref={formElement} noValidate onSubmit={submit} aria-label="Post" className="relative grid gap-5" {...drop.handlers}>
      {!isEdit && (
        <WriterField
          ownName={ownName}
          businesses={businesses}
          value={businessId}
          error={formState.errors.businessId?.message}
          onChange={chooseWriter}
        />
      )}
      <PostTypeField
        value={postType.field.value}
        business={business}
        error={postType.fieldState.error?.message}
        onChange={postType.field.onChange}
      />
      <TextField control={control} name="title" label="Title" maxLength={160} autoComplete="off" />
      <TextareaField control={control} name="content" label="Content" rows={6} maxLength={10_000} />
      <PostHints control={control} />
      <UploadListView uploads={uploads} state={state} />
      {mediaError && (
        <div role="alert">
          <FieldError>{mediaError}</FieldError>
        </div>
      )}
      <QuickActions
        onFiles={addFiles}
        isPlaceShown={shows.place}
        areTagsShown={shows.tags}
        onPlace={() => reveal('place')}
        onTags={() => reveal('tags')}
      />
      {shows.place && (
        <div data-part="place">
          <PlaceField control={control} name="place" finest="city" hint="A city, never an address." />
        </div>
      )}
      {shows.tags && (
        <div data-part="tags">
          <TagsField ref={tags.field.ref} tags={tags.field.value} error={tagsError(tags.fieldState.error)} onChange={tags.field.onChange} />
        </div>
      )}
      {hasImageUrl && (
        <TextField
          control={control}
          name="imageUrl"
          label="Image URL"
          optional
          type="url"
          placeholder="https://"
          autoComplete="off"
          hint="A picture on another site. It is copied and shown from here."
        />
      )}
      {businessId !== '' && (
        <Checkbox
          checked={isExclusive.field.value}
          onChange={(event) => isExclusive.field.onChange(event.target.checked)}
          hint="Only your subscribers can read it. Everybody else sees its title."
        >
          Exclusive
        </Checkbox>
      )}
      <div className="flex flex-wrap items-center justify-end gap-3 border-line border-t pt-5">
        {cancel}
        {others?.({ businessId, read, showErrors, forget })}
        <Button type="submit" size="lg" pending={formState.isSubmitting} pendingText={words.pendingText} className="max-sm:flex-1">
          {words.submitText}
        </Button>
      </div>
      {drop.isOver && (
        <div className="pointer-events-none absolute -inset-3 z-10 grid place-items-center rounded-card border-2 border-leaf border-dashed bg-leaf-soft/95">
          <p className="flex items-center gap-2.5 font-medium text-leaf">
            <ImagePlus aria-hidden="true" className="size-5" />
            Drop photos and videos here
          </p>
        </div>
      )}
    </form>
  )
}

/** A draft may name a business that is no longer one's own. */
function currentChoices(values: PostValues, businesses: readonly { id: string }[]): PostValues {
  if (values.businessId === '' || businesses.some(({ id }) => id === values.businessId)) return values
  return { ...values, businessId: '', postType: personalTypes.includes(values.postType) ? values.postType : 'update' }
}

/** The error of the list, or of one of its items. */
function tagsError(error: unknown): string | undefined {
  const errors = Array.isArray(error) ? error : [error]
  return errors.find((each) => typeof each?.message === 'string')?.message
}
