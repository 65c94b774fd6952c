import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Film, ImagePlus } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { businessPlans, maxGalleryPhotos } from '#contracts/business-plans.ts'
import type { MyBusiness } from '#contracts/businesses.ts'
import { getManagedPageExtras, getPageExtras, saveGallery, saveSocialLinks } from '#contracts/calls/page-extras.ts'
import { maxGalleryVideos } from '#contracts/limits.ts'
import type { ManagedPageExtras } from '#contracts/page-extras.ts'
import { type SocialLink, SocialLinkEdits } from '#contracts/page-extras.ts'
import { formatMonthlyPrice } from '#contracts/plans.ts'
import { maxSocialText, type SocialNetwork, socialNetworkIds, socialNetworks } from '#contracts/social-networks.ts'
import { planPrice } from '#web/entities/billing/billing-words.ts'
import { acceptedImages, acceptedVideos } from '#web/entities/media/check-file.ts'
import { FileButton } from '#web/entities/media/file-choice.tsx'
import { UploadListView, useUploads } from '#web/entities/media/upload-list-view.tsx'
import type { UploadLimit } from '#web/entities/media/upload-store.ts'
import { useFileDrop } from '#web/entities/media/use-file-drop.ts'
import { TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isSignedOut, showServerErrors, splitErrors } from '#web/forms/server-errors.ts'
import { call, callOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadError } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

const PurchaseDialog = lazyDialog(async () => (await import('#web/entities/billing/purchase-dialog.tsx')).PurchaseDialog)

export type ExtrasBusiness = Pick<MyBusiness, 'id' | 'slug' | 'name' | 'label' | 'role'>

export function PageExtras({ business }: { business: ExtrasBusiness }) {
  const { data: extras, error, refetch, isFetching } = useQuery({ ...managedExtrasOptions(business.id), refetchOnMount: 'always' })
  // After a save, the form remounts with the saved values.
  const [saved, setSaved] = useState<'gallery' | 'links' | null>(null)
  if (!extras) {
    if (error) {
      return <LoadError title="The photos and social links couldn’t be loaded" query={{ error, refetch, isFetching }} />
    }
    return (
      <SkeletonGroup label="Loading the photos..." className="grid gap-5">
        <Skeleton className="h-60 rounded-card" />
        <Skeleton className="h-60 rounded-card" />
      </SkeletonGroup>
    )
  }
  const { gallery, galleryVersion, socialLinks, isUnlocked } = extras
  const hasExtras = gallery.length + socialLinks.length > 0
  return (
    <>
      {!(isUnlocked.gallery && isUnlocked.socialLinks) && (
        <ExtraCard title="Photos, video and social links">
          <PlanNote business={business}>
            {hasExtras
              ? 'Your plan has ended, so your page no longer shows the items below. We’ve kept them. To show them again, choose Verified.'
              : `Show up to ${maxGalleryPhotos} photos, a short video and links to your social pages. They come with Verified.`}
          </PlanNote>
        </ExtraCard>
      )}
      {(isUnlocked.gallery || gallery.length > 0) && (
        <ExtraCard title="Photos and video">
          <GalleryForm
            key={galleryVersion}
            business={business}
            extras={extras}
            wasSaved={saved === 'gallery'}
            onSaved={() => setSaved('gallery')}
          />
        </ExtraCard>
      )}
      {(isUnlocked.socialLinks || socialLinks.length > 0) && (
        <ExtraCard title="Social links">
          <SocialLinksForm
            key={socialLinks.map(({ url }) => url).join(' ')}
            business={business}
            links={socialLinks}
            isUnlocked={isUnlocked.socialLinks}
            wasSaved={saved === 'links'}
            onSaved={() => setSaved('links')}
          />
        </ExtraCard>
      )}
    </>
  )
}

const ExtraCard = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card asChild>
    <section aria-label={title}>
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:p-6">
        <h2 className="text-xl">{title}</h2>
        {children}
      </CardBody>
    </section>
  </Card>
)

const plan = businessPlans.find(({ id }) => id === 'verified')

function PlanNote({ business, children }: { business: ExtrasBusiness; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  if (!plan) return null
  const { id, name, monthlyCents, features } = plan
  return (
    <div className="grid max-w-text justify-items-start gap-4">
      <p>{children}</p>
      {business.role === 'owner' ? (
        <Button onClick={() => setOpen(true)}>
          Choose {name}, {formatMonthlyPrice(monthlyCents)} per month
        </Button>
      ) : (
        <p className="text-muted">Only the owner of {business.name} can choose a plan.</p>
      )}
      {isOpen && (
        <PurchaseDialog
          open
          onOpenChange={setOpen}
          order={{ planId: id, businessId: business.id }}
          title={`${name} for ${business.label}`}
          price={planPrice(plan)}
          features={features}
        />
      )}
    </div>
  )
}

type Values = Record<SocialNetwork, string>

const valuesOf = (links: readonly SocialLink[]): Values =>
  Object.fromEntries(socialNetworkIds.map((id) => [id, links.find(({ network }) => network === id)?.url ?? ''])) as Values

type SocialLinksFormProps = {
  business: { id: string }
  links: readonly SocialLink[]
  isUnlocked: boolean
  wasSaved: boolean
  onSaved: () => void
}

/** Without a plan, people can only change existing links. */
function SocialLinksForm({ business, links, isUnlocked, wasSaved, onSaved }: SocialLinksFormProps) {
  const client = useQueryClient()
  const subject = `social-links.${business.id}`
  const [saved] = useState(() => valuesOf(links))
  const form = useForm<Values>({
    defaultValues: withDraft(subject, saved),
    resolver: standardSchemaResolver(SocialLinkEdits) as never,
    mode: 'onTouched',
  })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject, [], saved)
  const [failure, setFailure] = useState<string | null>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  // Saving replaces the form that had focus.
  useEffect(() => {
    if (wasSaved) saveButton.current?.focus({ preventScroll: true })
  }, [wasSaved])
  const shown = isUnlocked ? socialNetworkIds : links.map(({ network }) => network)

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      // Send only the changes, so a colleague's edits aren't overwritten.
      const changed = Object.fromEntries(shown.filter((id) => values[id] !== saved[id]).map((id) => [id, values[id]]))
      const after = await call(saveSocialLinks, { params: { id: business.id }, body: changed })
      dropDraft({ staysOpen: true })
      toast({ title: 'Social links saved', ...(isUnlocked && { description: 'They’re live on your page.' }) })
      onSaved()
      extrasHaveChanged(client, business.id, after)
    } catch (error) {
      setFailure(showServerErrors(form, error, socialNetworkIds))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Social links" className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        {shown.map((id) => (
          <TextField
            key={id}
            control={control}
            name={id}
            label={socialNetworks[id].name}
            optional
            placeholder={socialNetworks[id].example}
            maxLength={maxSocialText}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        ))}
      </div>
      <FormError>{failure}</FormError>
      <Button
        ref={saveButton}
        type="submit"
        size="lg"
        pending={formState.isSubmitting}
        pendingText="Saving..."
        className="justify-self-start max-sm:w-full"
      >
        Save links
      </Button>
    </form>
  )
}

const galleryLimit: UploadLimit = {
  fits: (kinds) => {
    const videos = kinds.filter((kind) => kind === 'video').length
    return videos <= maxGalleryVideos && kinds.length - videos <= maxGalleryPhotos
  },
  notice: `At most ${maxGalleryPhotos} photos and one video`,
}

const moderationNotes = {
  held: 'Not shown yet: our moderators are reviewing it.',
  hidden: 'Not shown: our moderators hid it.',
  removed: 'Not shown: our moderators removed it.',
}

type GalleryFormProps = {
  business: { id: string }
  extras: ManagedPageExtras
  wasSaved: boolean
  onSaved: () => void
}

type SavedGallery = Pick<ManagedPageExtras, 'isUnlocked'> & { gallery: readonly Pick<ManagedPageExtras['gallery'][number], 'moderation'>[] }

export function savedGalleryToast({ gallery, isUnlocked }: SavedGallery) {
  const isLive = isUnlocked.gallery && gallery.length > 0 && gallery.every(({ moderation }) => moderation === null)
  return { title: 'Photos saved', ...(isLive && { description: 'They’re live on your page.' }) }
}

function GalleryForm({ business, extras, wasSaved, onSaved }: GalleryFormProps) {
  const client = useQueryClient()
  const { gallery, galleryVersion, isUnlocked } = extras
  const { uploads, state } = useUploads(
    `gallery.${business.id}.${galleryVersion}`,
    gallery.map(({ media }) => media),
    { limit: galleryLimit, savesAlt: true },
  )
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [altErrors, setAltErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const form = useRef<HTMLFormElement>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  // Saving replaces the form that had focus.
  useEffect(() => {
    if (wasSaved) saveButton.current?.focus({ preventScroll: true })
  }, [wasSaved])
  const addFiles = (files: File[]) => {
    if (isUnlocked.gallery) uploads.add(files)
  }
  const drop = useFileDrop(addFiles)
  const notes = new Map(
    gallery.flatMap(({ media, moderation }): [string, string][] => (moderation ? [[media.id, moderationNotes[moderation]]] : [])),
  )

  async function save() {
    const ids = await uploads.settle()
    if (!ids) return setFailure('Some files couldn’t be uploaded. Retry or remove them.')
    const alts = new Map(uploads.get().items.map(({ media, alt }) => [media?.id, alt]))
    const items = ids.map((mediaId) => ({ mediaId, alt: alts.get(mediaId) ?? '' }))
    try {
      const after = await call(saveGallery, { params: { id: business.id }, body: { items, version: galleryVersion } })
      toast(savedGalleryToast(after))
      if (after.galleryVersion === galleryVersion) return
      uploads.finish()
      onSaved()
      extrasHaveChanged(client, business.id, after)
    } catch (error) {
      const altOf = (i: number) => `items.${i}.alt`
      const { marked, rest } = splitErrors(
        error,
        items.map((_, i) => altOf(i)),
      )
      const wrong = items.flatMap(({ mediaId }, i): [string, string][] => {
        const message = marked[altOf(i)]
        return message ? [[mediaId, message]] : []
      })
      setFailure(rest)
      if (wrong.length > 0) showErrors(form.current, () => setAltErrors(new Map(wrong)))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setFailure(null)
    setAltErrors(new Map())
    setSaving(true)
    await save().finally(() => setSaving(false))
  }

  const hasVideo = state.items.some(({ kind }) => kind === 'video')
  const photoCount = state.items.filter(({ kind }) => kind === 'image').length
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label="Photos and video"
      className={cx('grid grid-cols-[minmax(0,1fr)] gap-4 rounded-input', drop.isOver && 'outline-2 outline-leaf outline-offset-8')}
      {...drop.handlers}
    >
      <p className="text-muted text-sm tabular-nums">
        {photoCount} of {maxGalleryPhotos} photos{hasVideo && ' and a video'}.
        {hasVideo ? ' People see the video first, then the photos in this order.' : photoCount > 1 && ' People see them in this order.'}
      </p>
      <UploadListView uploads={uploads} state={state} notes={notes} altErrors={altErrors} />
      {isUnlocked.gallery && (
        <div className="flex flex-wrap gap-2">
          <FileButton label="Photos" accept={acceptedImages} multiple disabled={photoCount >= maxGalleryPhotos} onFiles={addFiles}>
            <ImagePlus aria-hidden="true" />
            Add photos
          </FileButton>
          <FileButton label="Video" accept={acceptedVideos} disabled={hasVideo} onFiles={addFiles}>
            <Film aria-hidden="true" />
            Add a video
          </FileButton>
        </div>
      )}
      <FormError>{failure}</FormError>
      <Button
        ref={saveButton}
        type="submit"
        size="lg"
        pending={isSaving}
        pendingText="Saving..."
        className="justify-self-start max-sm:w-full"
      >
        Save photos
      </Button>
    </form>
  )
}

/** Only for the owner and managers. Includes items that the page doesn't show. */
const managedExtrasOptions = (businessId: string) => callOptions(getManagedPageExtras, { params: { id: businessId } })

function extrasHaveChanged(client: QueryClient, businessId: string, extras: ManagedPageExtras): void {
  client.setQueryData(managedExtrasOptions(businessId).queryKey, extras)
  void refreshCalls(client, [getPageExtras])
}
