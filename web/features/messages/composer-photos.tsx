import { ImageIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Progress } from '../../ui/progress.tsx'
import { MediaPicture } from '../media/media-picture.tsx'
import { percentOf, type UploadItem } from '../media/upload-list.ts'
import type { MessagePhotos } from './use-message-photos.ts'

/** The photos that go with the message, each with how far it is and what it shows. */
export function ComposerPhotos({ photos }: { photos: MessagePhotos }) {
  const { items, notice, uploads } = photos
  return (
    <>
      {items.length > 0 && (
        <ul aria-label="Photos of this message" className="mb-2.5 grid max-h-56 gap-2 overflow-y-auto">
          {items.map((item, index) => (
            <Photo key={item.key} item={item} name={item.name || `Photo ${index + 1}`} file={uploads.fileOf(item.key)} uploads={uploads} />
          ))}
        </ul>
      )}
      {notice && (
        <div role="alert" className="mb-2">
          <FieldError>{notice}</FieldError>
        </div>
      )}
    </>
  )
}

type PhotoProps = { item: UploadItem; name: string; file: File | null; uploads: MessagePhotos['uploads'] }

function Photo({ item, name, file, uploads }: PhotoProps) {
  const { key, status, error, canRetry } = item
  const isUnderWay = status === 'waiting' || status === 'sending' || status === 'processing'
  return (
    <li className="flex items-center gap-3">
      <span className="relative size-12 shrink-0 overflow-clip rounded-input bg-sunk">
        <Thumbnail item={item} file={file} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        {status === 'failed' || status === 'lost' ? (
          <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <FieldError>{status === 'lost' ? `Not all of “${name}” was sent. Remove it and choose it again.` : error}</FieldError>
            {canRetry && (
              <Button variant="secondary" size="sm" onClick={() => uploads.retry(key)}>
                Retry
              </Button>
            )}
          </div>
        ) : (
          <Input
            aria-label={`What ${name} shows`}
            placeholder="What it shows, for those who cannot see it"
            value={item.alt}
            maxLength={300}
            autoComplete="off"
            onChange={(event) => uploads.setAlt(key, event.target.value)}
            onBlur={() => uploads.saveAlt(key)}
          />
        )}
        {isUnderWay && <Progress label={`Upload of ${name}`} value={status === 'processing' ? undefined : percentOf(item)} />}
      </div>
      <IconButton label={isUnderWay ? `Cancel ${name}` : `Remove ${name}`} size="sm" onClick={() => uploads.remove(key)}>
        <X aria-hidden="true" />
      </IconButton>
    </li>
  )
}

function Thumbnail({ item, file }: { item: UploadItem; file: File | null }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  if (item.media) return <MediaPicture media={{ ...item.media, alt: '' }} sizes="48px" />
  if (url) return <img src={url} alt="" className="size-full object-cover" />
  return <ImageIcon aria-hidden="true" className="absolute inset-0 m-auto size-6 text-muted" />
}
