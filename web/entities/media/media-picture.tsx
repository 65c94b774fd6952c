import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import type { Media } from '#contracts/media.ts'
import { cx } from '#web/ui/cx.ts'

type MediaPictureProps = {
  media: Media
  /** The image's `sizes`: "(min-width: 680px) 680px, 100vw". */
  sizes: string
  fit?: 'cover' | 'contain'
  className?: string | undefined
}

export function MediaPicture({ media, sizes, fit = 'cover', className }: MediaPictureProps) {
  const { sources, width, height, alt, placeholder } = media
  const [isShown, setShown] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const set = (format: 'avif' | 'webp') => sources.map((source) => `${source[format]} ${source.width}w`).join(', ')
  const look = cx('block size-full', fit === 'cover' ? 'object-cover' : 'object-contain', className)
  const behind =
    placeholder && !isShown
      ? { backgroundImage: `url("${placeholder}")`, backgroundSize: fit, backgroundPosition: 'center', backgroundRepeat: 'no-repeat' }
      : {}
  if (hasFailed) {
    return (
      <span
        role="img"
        aria-label={alt || 'Picture'}
        style={behind}
        className={cx(look, '@container grid place-items-center bg-sunk text-muted text-sm')}
      >
        {/* The text would be cut off in small pictures, such as those in offline grow logs. */}
        <ImageOff aria-hidden="true" className="@min-[16rem]:hidden size-8 rounded-full bg-surface/90 p-1.5" />
        <span className="@max-[16rem]:hidden rounded-full bg-surface/90 px-3 py-1">The picture couldn’t be loaded</span>
      </span>
    )
  }
  return (
    <picture className="contents">
      <source type="image/avif" srcSet={set('avif')} sizes={sizes} />
      <img
        src={sources.at(-1)?.webp}
        srcSet={set('webp')}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        style={behind}
        onLoad={() => setShown(true)}
        onError={() => setFailed(true)}
        className={look}
      />
    </picture>
  )
}

type MediaVideoProps = { media: Media; autoPlay?: boolean; className?: string | undefined }

export function MediaVideo({ media, autoPlay = false, className }: MediaVideoProps) {
  const { videoUrl, width, height, alt, placeholder } = media
  return (
    // biome-ignore lint/a11y/useMediaCaption: members' short videos have no captions; `alt` describes them
    <video
      src={videoUrl ?? undefined}
      width={width}
      height={height}
      aria-label={alt || 'Video'}
      controls
      playsInline
      preload="metadata"
      autoPlay={autoPlay}
      style={placeholder ? { backgroundImage: `url("${placeholder}")`, backgroundSize: 'cover' } : undefined}
      className={cx('block bg-sunk object-contain', className)}
    />
  )
}
