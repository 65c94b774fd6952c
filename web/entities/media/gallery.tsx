import { Play } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Media } from '#contracts/media.ts'
import { cx } from '#web/ui/cx.ts'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { MediaPicture, MediaVideo } from './media-picture.tsx'

const loadLightbox = () => import('./lightbox.tsx')
const Lightbox = lazyDialog(async () => (await loadLightbox()).default)

const columns = ['', 'grid-cols-1', 'grid-cols-2', 'grid-cols-[2fr_1fr] grid-rows-2', 'grid-cols-2 grid-rows-2'] as const

type GalleryProps = {
  media: readonly Media[]
  of: string
  onReport?: ((media: Media) => void) | undefined
}

/** Reserves its space before the pictures load. `of` names the content, such as a post, for accessible names. */
export function Gallery({ media, of, onReport }: GalleryProps) {
  const [shown, setShown] = useState<number | null>(null)
  // Some browsers don't focus pressed buttons, so this stores which one to focus after closing.
  const opener = useRef<HTMLButtonElement>(null)
  const [only] = media
  if (!only) return null
  const { ratio, cells, hidden } = galleryLayout(media)
  if (media.length === 1 && only.kind === 'video') {
    return (
      <div style={{ aspectRatio: ratio }} className="overflow-clip rounded-input border border-line bg-sunk">
        <MediaVideo media={only} className="size-full" />
      </div>
    )
  }
  return (
    <>
      <ul
        aria-label={`Pictures of ${of}`}
        style={{ aspectRatio: ratio }}
        className={cx('grid max-h-[36rem] w-full gap-1 overflow-clip rounded-input border border-line bg-sunk', columns[cells.length])}
      >
        {cells.map(({ media: each, index, isTall }) => {
          const isLast = hidden > 0 && index === cells.length - 1
          return (
            <li key={each.id} className={cx('relative min-h-0 min-w-0', isTall && 'row-span-2')}>
              <button
                type="button"
                aria-label={cellName(each, index, media.length, isLast ? hidden : 0)}
                aria-haspopup="dialog"
                onPointerEnter={() => void loadLightbox().catch(() => undefined)}
                onClick={(event) => {
                  opener.current = event.currentTarget
                  setShown(index)
                }}
                className="absolute inset-0 cursor-zoom-in focus-visible:-outline-offset-2"
              >
                {each.kind === 'image' ? (
                  <MediaPicture
                    media={each}
                    sizes={media.length === 1 ? '(min-width: 720px) 640px, 100vw' : '(min-width: 720px) 420px, 66vw'}
                  />
                ) : (
                  <VideoStill media={each} />
                )}
                {isLast && (
                  <span
                    data-theme="dark"
                    aria-hidden="true"
                    className="absolute inset-0 grid place-items-center bg-scrim font-semibold text-2xl text-ink"
                  >
                    +{hidden}
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
      {shown !== null && (
        <Lightbox
          media={media}
          shown={shown}
          title={of}
          onShow={setShown}
          onReport={
            onReport &&
            ((each) => {
              setShown(null)
              onReport(each)
            })
          }
          onClose={() => setShown(null)}
          onClosed={() => opener.current?.focus()}
        />
      )}
    </>
  )
}

function cellName(media: Media, index: number, count: number, hidden: number): string {
  const place = count > 1 ? ` ${index + 1} of ${count}` : ''
  const what = `${media.kind === 'image' ? 'Picture' : 'Video'}${place}${media.alt ? `: ${media.alt}` : ''}`
  return hidden > 0 ? `${what}. And ${hidden} more` : what
}

function VideoStill({ media }: { media: Media }) {
  return (
    <>
      <video
        src={media.videoUrl ?? undefined}
        muted
        playsInline
        preload="metadata"
        aria-hidden="true"
        tabIndex={-1}
        style={media.placeholder ? { backgroundImage: `url("${media.placeholder}")`, backgroundSize: 'cover' } : undefined}
        className="pointer-events-none block size-full object-cover"
      />
      <span aria-hidden="true" className="absolute inset-0 m-auto grid size-12 place-items-center rounded-full bg-surface/90 shadow-lift">
        <Play className="size-5 translate-x-px fill-current" />
      </span>
    </>
  )
}

/** Pressing the last cell opens the others. */
const galleryCells = 4

type GalleryLayout = {
  /** Width divided by height, known before pictures load, to avoid layout shift. */
  ratio: number
  /** `isTall` marks the first of three, which is as tall as the other two together. */
  cells: { media: Media; index: number; isTall: boolean }[]
  hidden: number
}

const tallest = 4 / 5
const widest = 1.91

export function galleryLayout(media: readonly Media[]): GalleryLayout {
  const [first] = media
  const ratio =
    media.length === 1 && first ? Math.min(widest, Math.max(tallest, first.width / first.height)) : media.length === 2 ? 16 / 9 : 3 / 2
  return {
    ratio,
    cells: media.slice(0, galleryCells).map((each, index) => ({ media: each, index, isTall: media.length === 3 && index === 0 })),
    hidden: Math.max(0, media.length - galleryCells),
  }
}
