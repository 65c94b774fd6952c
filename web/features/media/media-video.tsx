import type { Media } from '../../../contracts/media.ts'
import { cx } from '../../ui/cx.ts'

type MediaVideoProps = { media: Media; autoPlay?: boolean; className?: string | undefined }

/** A short video. Only its first kilobytes are fetched before somebody plays it. */
export function MediaVideo({ media, autoPlay = false, className }: MediaVideoProps) {
  const { videoUrl, width, height, alt, placeholder } = media
  return (
    // biome-ignore lint/a11y/useMediaCaption: the short videos of members come without captions; `alt` says what they show
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
