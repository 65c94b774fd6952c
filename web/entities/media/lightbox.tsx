import { ChevronLeft, ChevronRight, Flag, X } from 'lucide-react'
import * as Dialog from 'radix-ui/dialog'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Media } from '#contracts/media.ts'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { CloseOnBack } from '#web/ui/dialog.tsx'
import { MediaPicture, MediaVideo } from './media-picture.tsx'

type LightboxProps = {
  media: readonly Media[]
  shown: number
  title: string
  onShow: (index: number) => void
  onReport?: ((media: Media) => void) | undefined
  onClose: () => void
  onClosed: () => void
}

/** In pixels. */
const swipeDistance = 50

/** Arrow keys and swipes navigate; Escape and pressing the backdrop close it. */
export default function Lightbox({ media, shown, title, onShow, onReport, onClose, onClosed }: LightboxProps) {
  const from = useRef<number | null>(null)
  const isZoomed = useIsZoomed()
  const current = media[shown] ?? media[0]
  if (!current) return null
  const isOne = media.length === 1
  const turn = (key: string) => onShow(nextShown(shown, media.length, key))

  function onKeyDown(event: KeyboardEvent) {
    // Videos handle their own keys.
    if (event.target instanceof HTMLVideoElement || !['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return
    event.preventDefault()
    turn(event.key)
  }

  // Two fingers zoom, and one finger moves a zoomed picture, so neither is a swipe.
  function onPointerDown({ pointerType, isPrimary, clientX }: PointerEvent) {
    from.current = pointerType === 'touch' && isPrimary && !isZoomed ? clientX : null
  }

  function onPointerUp(event: PointerEvent) {
    const distance = from.current === null ? 0 : event.clientX - from.current
    from.current = null
    if (Math.abs(distance) >= swipeDistance && !isOne) turn(distance < 0 ? 'ArrowRight' : 'ArrowLeft')
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <div data-scroll-lock="" data-theme="dark" className="pointer-events-auto fixed inset-0 z-50 animate-fade bg-ground text-ink">
          <Dialog.Content
            aria-describedby={undefined}
            onKeyDown={onKeyDown}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              onClosed()
            }}
            className="grid size-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] outline-none"
          >
            <CloseOnBack />
            <div className="flex items-center justify-between gap-4 p-3 sm:px-5">
              <Dialog.Title className="min-w-0 truncate font-semibold font-text text-base tracking-normal">{title}</Dialog.Title>
              <div className="flex shrink-0 items-center gap-3">
                {!isOne && (
                  <p role="status" className="text-muted text-sm tabular-nums">
                    {shown + 1} of {media.length}
                  </p>
                )}
                {onReport && (
                  <IconButton label="Report" variant="outline" onClick={() => onReport(current)}>
                    <Flag aria-hidden="true" />
                  </IconButton>
                )}
                <Dialog.Close asChild>
                  <IconButton label="Close" variant="outline">
                    <X aria-hidden="true" />
                  </IconButton>
                </Dialog.Close>
              </div>
            </div>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: pressing outside the picture closes it, like Escape and the close button */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
            <div
              className={cx('relative min-h-0 px-3 sm:px-20', !isZoomed && 'touch-pan-y touch-pinch-zoom')}
              onPointerDown={onPointerDown}
              onPointerUp={onPointerUp}
              onClick={(event) => event.target === event.currentTarget && onClose()}
            >
              {current.kind === 'image' ? (
                <MediaPicture key={current.id} media={current} sizes="100vw" fit="contain" />
              ) : (
                <MediaVideo key={current.id} media={current} autoPlay className="mx-auto size-full bg-transparent" />
              )}
              {!isOne && (
                <>
                  <IconButton
                    label="Previous"
                    variant="floating"
                    className="absolute! inset-y-0 left-4 my-auto"
                    onClick={() => turn('ArrowLeft')}
                  >
                    <ChevronLeft aria-hidden="true" />
                  </IconButton>
                  <IconButton
                    label="Next"
                    variant="floating"
                    className="absolute! inset-y-0 right-4 my-auto"
                    onClick={() => turn('ArrowRight')}
                  >
                    <ChevronRight aria-hidden="true" />
                  </IconButton>
                </>
              )}
            </div>
            <p className="mx-auto min-h-14 max-w-text px-4 py-4 text-center text-sm">{current.alt}</p>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useIsZoomed(): boolean {
  const [isZoomed, setZoomed] = useState(false)
  useEffect(() => {
    const viewport = window.visualViewport
    const look = () => setZoomed(viewport !== null && viewport.scale > 1)
    look()
    viewport?.addEventListener('resize', look)
    return () => viewport?.removeEventListener('resize', look)
  }, [])
  return isZoomed
}

export function nextShown(index: number, count: number, key: string): number {
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return (index + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : index
}
