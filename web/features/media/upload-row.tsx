import { ArrowDown, ArrowUp, Film, GripVertical, ImageIcon, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Field, FieldError } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Progress } from '../../ui/progress.tsx'
import { acceptedImages, acceptedVideos } from './check-file.ts'
import { MediaPicture } from './media-picture.tsx'
import { percentOf, type UploadItem } from './upload-list.ts'

type UploadRowProps = {
  item: UploadItem
  name: string
  place: { index: number; count: number }
  /** The file, while this page has it. */
  preview: File | null
  isDragged: boolean
  onDragStart: () => void
  onDragEnd: () => void
  onDragOver: () => void
  onMove: (to: number) => void
  onRemove: () => void
  onRetry: () => void
  onFile: (file: File) => void
  onAlt: (alt: string) => void
  onAltDone: () => void
}

export function UploadRow({
  item,
  name,
  place,
  preview,
  isDragged,
  onMove,
  onRemove,
  onRetry,
  onFile,
  onAlt,
  onAltDone,
  ...drag
}: UploadRowProps) {
  const { index, count } = place
  const isUnfinished = item.status !== 'ready' && item.status !== 'failed'
  const isStuck = item.status === 'failed' || item.status === 'lost'
  return (
    <li
      className={cx(
        'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-3 rounded-input border border-line bg-surface p-3',
        isDragged && 'border-leaf opacity-60',
      )}
      onDragOver={(event) => {
        event.preventDefault()
        drag.onDragOver()
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is for the mouse; the arrows do the same for everybody */}
      <div
        draggable={count > 1}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData('text/plain', name)
          drag.onDragStart()
        }}
        onDragEnd={drag.onDragEnd}
        className={cx('relative size-20 overflow-clip rounded-input bg-sunk sm:row-span-2 sm:size-28', count > 1 && 'cursor-grab')}
      >
        <Thumbnail item={item} file={preview} />
        {count > 1 && (
          <span
            aria-hidden="true"
            className="absolute bottom-1 left-1 grid size-6 place-items-center rounded-tag bg-surface/90 text-muted pointer-coarse:hidden"
          >
            <GripVertical className="size-4" />
          </span>
        )}
      </div>
      <div className="grid min-w-0 gap-1.5">
        <p className="truncate font-medium text-sm">{name}</p>
        {!isStuck && <Condition item={item} name={name} />}
      </div>
      <div className="flex items-center">
        {count > 1 && (
          <>
            <IconButton label={`Move ${name} up`} size="sm" disabled={index === 0} onClick={() => onMove(index - 1)}>
              <ArrowUp aria-hidden="true" />
            </IconButton>
            <IconButton label={`Move ${name} down`} size="sm" disabled={index === count - 1} onClick={() => onMove(index + 1)}>
              <ArrowDown aria-hidden="true" />
            </IconButton>
          </>
        )}
        <IconButton data-remove="" label={isUnfinished ? `Cancel ${name}` : `Remove ${name}`} size="sm" onClick={onRemove}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {isStuck && (
        <div className="col-span-full sm:col-span-2 sm:col-start-2">
          {item.status === 'lost' ? <Lost item={item} onFile={onFile} /> : <Failed item={item} onRetry={onRetry} />}
        </div>
      )}
      {item.kind === 'image' && item.status !== 'failed' && (
        <Field label="What it shows" optional className="col-span-full sm:col-span-2 sm:col-start-2">
          <Input
            value={item.alt}
            maxLength={300}
            placeholder="Three jars of flower on a wooden counter"
            autoComplete="off"
            onChange={(event) => onAlt(event.target.value)}
            onBlur={onAltDone}
          />
        </Field>
      )}
    </li>
  )
}

/** How far it is. */
function Condition({ item, name }: { item: UploadItem; name: string }) {
  const percent = percentOf(item)
  if (item.status === 'ready') return <p className="text-leaf text-sm">Ready</p>
  const words = item.status === 'waiting' ? 'Waiting' : item.status === 'sending' ? `${percent} % sent` : 'Getting it ready'
  return (
    <div className="grid gap-1.5 pt-1">
      <Progress label={`Upload of ${name}`} value={item.status === 'processing' ? undefined : percent} />
      <p className="text-muted text-sm tabular-nums">{words}</p>
    </div>
  )
}

/** What went wrong, and Retry where that may help. */
function Failed({ item, onRetry }: { item: UploadItem; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-2">
      <FieldError>{item.error}</FieldError>
      {item.canRetry && (
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}

/** The page was loaded anew in the middle of it. The file is not here any more; what was sent is. */
function Lost({ item, onFile }: { item: UploadItem; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-muted text-sm">{percentOf(item)} % was sent before the page was left. Choose the file again to go on.</p>
      {item.error && <FieldError>{item.error}</FieldError>}
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        aria-label={`${item.name} again`}
        accept={item.kind === 'image' ? acceptedImages : acceptedVideos}
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button variant="secondary" size="sm" onClick={() => input.current?.click()}>
        Choose file
      </Button>
    </div>
  )
}

function Thumbnail({ item, file }: { item: UploadItem; file: File | null }) {
  const [url, setUrl] = useState<string | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!file || item.kind !== 'image') return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [file, item.kind])

  if (item.media?.kind === 'image') return <MediaPicture media={item.media} sizes="80px" />
  if (url && !hasFailed) return <img src={url} alt="" className="size-full object-cover" onError={() => setFailed(true)} />
  const Icon = item.kind === 'image' ? ImageIcon : Film
  return (
    <span className="grid size-full place-items-center text-muted">
      <Icon aria-hidden="true" className="size-7" />
    </span>
  )
}
