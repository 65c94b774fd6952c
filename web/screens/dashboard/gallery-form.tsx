import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Film, ImagePlus } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxGalleryPhotos } from '#contracts/business-plans.ts'
import { getManagedPageExtras, getPageExtras, saveGallery } from '#contracts/calls/page-extras.ts'
import { maxGalleryVideos } from '#contracts/limits.ts'
import type { ManagedPageExtras } from '#contracts/page-extras.ts'
import { acceptedImages, acceptedVideos } from '#web/entities/media/check-file.ts'
import { FileButton } from '#web/entities/media/file-choice.tsx'
import { UploadListView, useUploads } from '#web/entities/media/upload-list-view.tsx'
import type { UploadLimit } from '#web/entities/media/upload-store.ts'
import { useFileDrop } from '#web/entities/media/use-file-drop.ts'
import { fieldErrors, isSignedOut } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { toast } from '#web/ui/toast-store.ts'

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

/** Edits the photos and the video of a page. All changes are saved together. */
export function GalleryForm({ business, extras, wasSaved, onSaved }: GalleryFormProps) {
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
  // Saving replaces the form, which would lose the focus.
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
      toast({ title: 'Photos saved', ...(isUnlocked.gallery && { description: 'Your page shows them now.' }) })
      if (after.galleryVersion === galleryVersion) return
      uploads.finish()
      onSaved()
      extrasHaveChanged(client, business.id, after)
    } catch (error) {
      const errors = fieldErrors(error)
      const wrong = items.flatMap(({ mediaId }, i): [string, string][] => {
        const message = errors[`items.${i}.alt`]
        return message ? [[mediaId, message]] : []
      })
      if (wrong.length > 0) showErrors(form.current, () => setAltErrors(new Map(wrong)))
      else setFailure(errors.items ?? messageOf(error))
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

/** Includes what the page doesn't show. Only for the owner and managers. */
export const managedExtrasOptions = (businessId: string) => callOptions(getManagedPageExtras, { params: { id: businessId } })

/** Writes the server's response into the editor and refetches the page. */
export function extrasHaveChanged(client: QueryClient, businessId: string, extras: ManagedPageExtras): void {
  client.setQueryData(managedExtrasOptions(businessId).queryKey, extras)
  void refreshCalls(client, [getPageExtras])
}
