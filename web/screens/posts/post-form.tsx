import { Link } from '@tanstack/react-router'
import { ImagePlus } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { type Control, useController, useForm, useWatch } from 'react-hook-form'
import type { MyBusiness } from '#contracts/businesses.ts'
import type { listMyBusinesses } from '#contracts/calls/businesses.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Media } from '#contracts/media.ts'
import type { NewPost, PostType } from '#contracts/posts.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { UploadListView, useUploads } from '#web/entities/media/upload-list-view.tsx'
import { useFileDrop } from '#web/entities/media/use-file-drop.ts'
import { QuickActions, TagsField } from '#web/entities/posts/composer-fields.tsx'
import { MentionField } from '#web/entities/posts/mention-area.tsx'
import { personalTypes, postTypes } from '#web/entities/posts/post-words.ts'
import { TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { PlaceField } from '#web/forms/place-field.tsx'
import { isSignedOut, otherErrors, refusalOf, showServerErrors } from '#web/forms/server-errors.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { draftResolver, type PostValues, postFields, postResolver, unchecked } from './composer-schema.ts'

type PostFormProps = {
  /** Names the draft by person and purpose. */
  subject: string
  initial: PostValues
  media?: readonly Media[]
  ownName: string
  businesses: ResponseOf<typeof listMyBusinesses>
  /** The author of an existing post can't be changed, and its pictures have already been uploaded. */
  isEdit: boolean
  submitText: string
  pendingText: string
  failure: string
  /** Allows the URL of a picture on another site, for unpublished posts only. */
  hasImageUrl?: boolean | undefined
  isUnfinished?: boolean | undefined
  others?: ((tools: PostFormTools) => ReactNode) | undefined
  onSubmit: (body: NewPost) => Promise<void>
  cancel: ReactNode
}

export type PostFormTools = {
  /** Empty for a personal post. */
  businessId: string
  /** Waits for uploads. With `whole`, requires that the content can be published. Null if invalid, with errors shown in the form. */
  read: (check: { whole: boolean }) => Promise<NewPost | null>
  showErrors: (error: unknown) => void
  forget: () => void
}

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

  function reveal(part: 'place' | 'tags') {
    setShows((before) => ({ ...before, [part]: true }))
    requestAnimationFrame(() => formElement.current?.querySelector<HTMLInputElement>(`[data-part="${part}"] input`)?.focus())
  }

  async function withUploads(body: NewPost): Promise<NewPost | null> {
    setMediaError(null)
    const mediaIds = await uploads.settle()
    if (!mediaIds) setMediaError('Some files couldn’t be uploaded. Retry or remove them.')
    return mediaIds && { ...body, mediaIds }
  }

  function showErrors(error: unknown) {
    console.error(error)
    showServerErrors(form, error, postFields)
    setMediaError(otherErrors(error, postFields))
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
      toast({ title: 'Error', description: refusalOf(error) ?? words.failure, variant: 'destructive' })
      // This makes the root route show the sign-in form. The draft is saved.
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
      <MentionField control={control} label="Content" rows={6} maxLength={10_000} />
      <PostHints control={control} />
      <UploadListView uploads={uploads} state={state} />
      <FormError>{mediaError}</FormError>
      <QuickActions
        onFiles={addFiles}
        isPlaceShown={shows.place}
        areTagsShown={shows.tags}
        onPlace={() => reveal('place')}
        onTags={() => reveal('tags')}
      />
      {shows.place && (
        <div data-part="place">
          <PlaceField control={control} name="place" finest="city" hint="Enter a city, not an address." />
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
          hint="A picture on another site. We’ll copy it and host it here."
        />
      )}
      {businessId !== '' && (
        <Checkbox
          checked={isExclusive.field.value}
          onChange={(event) => isExclusive.field.onChange(event.target.checked)}
          hint="Your team and subscribers can read it, and so can Pro and VIP members if subscribing is free. Everyone else sees only its title."
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

/** A draft may name a business that the person has left. */
function currentChoices(values: PostValues, businesses: readonly { id: string }[]): PostValues {
  if (values.businessId === '' || businesses.some(({ id }) => id === values.businessId)) return values
  return { ...values, businessId: '', postType: personalTypes.includes(values.postType) ? values.postType : 'update' }
}

function tagsError(error: unknown): string | undefined {
  const errors = Array.isArray(error) ? error : [error]
  return errors.find((each) => typeof each?.message === 'string')?.message
}

/** Separate from the form, so keystrokes rerender only the hints. */
function PostHints({ control }: { control: Control<PostValues, unknown, NewPost> }) {
  const [title, content, tags, place, postType, businessId] = useWatch({
    control,
    name: ['title', 'content', 'tags', 'place', 'postType', 'businessId'],
  })
  const texts = [title, content, tags.join(' '), place]
  return <ComplianceHints words={{ kind: 'post', texts, postType, businessId: businessId || null }} />
}

type WriterFieldProps = {
  ownName: string
  businesses: ResponseOf<typeof listMyBusinesses>
  value: string
  error: string | undefined
  onChange: (businessId: string) => void
}

function WriterField({ ownName, businesses, value, error, onChange }: WriterFieldProps) {
  if (businesses.length === 0) {
    return (
      <p className="text-muted text-sm">
        Posting as <span className="font-medium text-ink">{ownName}</span>. Only businesses can post promotions and products.{' '}
        <Link to="/business/register" className={textLink}>
          Register your business
        </Link>
      </p>
    )
  }
  return (
    <Field label="Post as" error={error}>
      <Select name="businessId" value={value} onChange={(event) => onChange(event.target.value)}>
        {businesses.map((business) => (
          <option key={business.id} value={business.id}>
            {business.label}
          </option>
        ))}
        <option value="">{ownName} (your own name)</option>
      </Select>
    </Field>
  )
}

type PostTypeFieldProps = {
  value: PostType
  /** Null for a personal post. */
  business: Pick<MyBusiness, 'slug' | 'name' | 'role' | 'isLicenseVerified'> | null
  error: string | undefined
  onChange: (type: PostType) => void
}

function PostTypeField({ value, business, error, onChange }: PostTypeFieldProps) {
  const types = (Object.keys(postTypes) as PostType[]).filter((type) => business || personalTypes.includes(type))
  const needsLicense = business !== null && !business.isLicenseVerified
  const isOff = (type: PostType) => needsLicense && !personalTypes.includes(type)
  const isAdvertising = !personalTypes.includes(value)
  return (
    <Field
      label="Post type"
      hint={
        <>
          <span className="block">{postTypes[value].hint}</span>
          {isAdvertising && <span className="block">Only people of legal age where your business is located will see it.</span>}
          {needsLicense && (
            <span className="mt-1 block">
              Promotions and products need a verified license.{' '}
              {business.role === 'staff' ? (
                `The owner or a manager of ${business.name} can verify it.`
              ) : (
                <Link to="/business-dashboard/license" search={{ business: business.slug }} className={textLink}>
                  Verify your license
                </Link>
              )}
            </span>
          )}
        </>
      }
      error={error}
    >
      <Select name="postType" value={value} onChange={(event) => onChange(event.target.value as PostType)}>
        {types.map((type) => (
          <option key={type} value={type} disabled={isOff(type)}>
            {postTypes[type].label}
            {isOff(type) && ' (needs a verified license)'}
          </option>
        ))}
      </Select>
    </Field>
  )
}

export function ComposerSkeleton() {
  return (
    <SkeletonGroup label="Loading the form..." className="mt-5 grid gap-5 rounded-card border border-line bg-surface p-4 sm:p-6">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-36" />
      <Skeleton className="h-10 w-2/3" />
    </SkeletonGroup>
  )
}
