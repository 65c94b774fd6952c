import { Camera, Film, Hash, ImagePlus, MapPin } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { acceptedImages, acceptedVideos } from '#web/entities/media/check-file.ts'
import { Button } from '#web/ui/button.tsx'

/** The buttons are close together, so they get touch-sized heights. */
export const quickActionTarget = 'pointer-coarse:min-h-11'

type QuickActionsProps = {
  onFiles: (files: File[]) => void
  isPlaceShown?: boolean
  areTagsShown: boolean
  /** Left out where posts can't have a place. */
  onPlace?: () => void
  onTags: () => void
  children?: ReactNode
}

/** Buttons that add photos, place and tags. On phones, also photos from the camera. */
export function QuickActions({ onFiles, isPlaceShown, areTagsShown, onPlace, onTags, children }: QuickActionsProps) {
  const photos = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const videos = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    // Allows choosing the same file again after removing it.
    input.value = ''
    if (files.length > 0) onFiles(files)
  }
  const hidden = {
    type: 'file',
    className: 'hidden',
    tabIndex: -1,
    onChange: (event: { currentTarget: HTMLInputElement }) => take(event.currentTarget),
  } as const
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the parts of one question
    <div role="group" aria-label="Add to your post" className="flex flex-wrap gap-2">
      <input {...hidden} ref={photos} accept={acceptedImages} multiple aria-label="Photos" />
      <input {...hidden} ref={camera} accept="image/*" capture="environment" aria-label="Camera" />
      <input {...hidden} ref={videos} accept={acceptedVideos} multiple aria-label="Videos" />
      <Button variant="secondary" size="sm" className={quickActionTarget} onClick={() => photos.current?.click()}>
        <ImagePlus aria-hidden="true" />
        Add Photo
      </Button>
      <Button variant="secondary" size="sm" className={`${quickActionTarget} pointer-fine:hidden`} onClick={() => camera.current?.click()}>
        <Camera aria-hidden="true" />
        Take Photo
      </Button>
      <Button variant="secondary" size="sm" className={quickActionTarget} onClick={() => videos.current?.click()}>
        <Film aria-hidden="true" />
        Add Video
      </Button>
      {onPlace && (
        <Button variant="secondary" size="sm" className={quickActionTarget} aria-expanded={isPlaceShown} onClick={onPlace}>
          <MapPin aria-hidden="true" />
          Add Location
        </Button>
      )}
      <Button variant="secondary" size="sm" className={quickActionTarget} aria-expanded={areTagsShown} onClick={onTags}>
        <Hash aria-hidden="true" />
        Add Tags
      </Button>
      {children}
    </div>
  )
}
