import { useRef, useState } from 'react'
import type { Media } from '#contracts/media.ts'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'

const loadLightbox = () => import('#web/entities/media/lightbox.tsx')
const Lightbox = lazyDialog(async () => (await loadLightbox()).default)

export function LogPhotos({ photos, title }: { photos: readonly Media[]; title: string }) {
  const [shown, setShown] = useState<number | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  if (photos.length === 0) return null
  return (
    <>
      <ul aria-label={title} className="flex flex-wrap gap-2">
        {photos.map((photo, nth) => (
          <li key={photo.id}>
            <button
              type="button"
              aria-label={photo.alt || `Photo ${nth + 1} of ${photos.length}`}
              aria-haspopup="dialog"
              onPointerEnter={() => void loadLightbox().catch(() => undefined)}
              onClick={(event) => {
                opener.current = event.currentTarget
                setShown(nth)
              }}
              className="block size-20 cursor-zoom-in overflow-hidden rounded-input bg-sunk"
            >
              <MediaPicture media={photo} sizes="80px" />
            </button>
          </li>
        ))}
      </ul>
      {shown !== null && (
        <Lightbox
          media={photos}
          shown={shown}
          title={title}
          onShow={setShown}
          onClose={() => setShown(null)}
          onClosed={() => opener.current?.focus()}
        />
      )}
    </>
  )
}
