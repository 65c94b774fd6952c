import { ArrowDown, ArrowUp, Film, GripVertical, ImageIcon, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { Media } from '#contracts/media.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field, FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { acceptedImages, acceptedVideos } from './check-file.ts'
import { FileInput, useObjectUrl } from './file-choice.tsx'
import { MediaPicture } from './media-picture.tsx'
import { mediaCalls } from './upload-file.ts'
import { createUploads, percentOf, postLimit, type UploadItem, type UploadLimit, type UploadState, type Uploads } from './upload-store.ts'

type UploadListViewProps = {
  uploads: Uploads
  state: UploadState
  /** By media ID. */
  notes?: ReadonlyMap<string, string>
  /** By media ID. */
  altErrors?: ReadonlyMap<string, string>
  hasDescriptions?: boolean
}

export function UploadListView({ uploads, state, notes, altErrors, hasDescriptions = true }: UploadListViewProps) {
  const { items, notice } = state
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [said, setSaid] = useState('')

  function move(item: UploadItem, to: number) {
    const name = nameOf(item, items)
    uploads.move(item.key, to)
    setSaid(`${name} is now ${to + 1} of ${items.length}`)
  }

  function remove(item: UploadItem, index: number) {
    const name = nameOf(item, items)
    uploads.remove(item.key)
    if (item.isAttached) toast({ title: `${name} removed`, action: { label: 'Undo', onClick: () => uploads.putBack(item, index) } })
    else setSaid(`${name} removed`)
    // Focus the next item, so Tab doesn't restart at the top of the page.
    requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll<HTMLButtonElement>('[data-remove]')
      rows?.[Math.min(index, rows.length - 1)]?.focus()
    })
  }

  return (
    <>
      {items.length > 0 && (
        <ol ref={list} aria-label="Photos and videos" className="grid gap-3">
          {items.map((item, index) => (
            <UploadRow
              key={item.key}
              item={item}
              name={nameOf(item, items)}
              note={notes?.get(item.uploadId ?? '')}
              hasDescription={hasDescriptions && item.kind === 'image'}
              altError={altErrors?.get(item.uploadId ?? '')}
              place={{ index, count: items.length }}
              isDragged={dragged === item.key}
              onDragStart={() => setDragged(item.key)}
              onDragEnd={() => setDragged(null)}
              onDragOver={() => dragged && dragged !== item.key && uploads.move(dragged, index)}
              onMove={(to) => move(item, to)}
              onRemove={() => remove(item, index)}
              onRetry={() => uploads.retry(item.key)}
              onFile={(file) => uploads.resume(item.key, file)}
              preview={uploads.fileOf(item.key)}
              onAlt={(alt) => uploads.setAlt(item.key, alt)}
              onAltDone={() => uploads.saveAlt(item.key)}
            />
          ))}
        </ol>
      )}
      {notice && <FieldError>{notice}</FieldError>}
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

/** Numbers attached files by kind, because they have no name. */
function nameOf(item: UploadItem, items: readonly UploadItem[]): string {
  if (item.name) return item.name
  const alike = items.filter(({ name, kind }) => !name && kind === item.kind)
  return `${item.kind === 'image' ? 'Photo' : 'Video'} ${alike.indexOf(item) + 1}`
}

type UploadRowProps = {
  item: UploadItem
  name: string
  place: { index: number; count: number }
  preview: File | null
  note?: string | undefined
  altError?: string | undefined
  hasDescription: boolean
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

function UploadRow({
  item,
  name,
  place,
  preview,
  note,
  altError,
  hasDescription,
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging only works with a mouse; the arrow buttons do the same */}
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
        {note ? <p className="text-clay text-sm">{note}</p> : !isStuck && <Condition item={item} name={name} />}
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
      {hasDescription && item.status !== 'failed' && (
        <Field label="Description" optional error={altError} className="col-span-full sm:col-span-2 sm:col-start-2">
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

function Condition({ item, name }: { item: UploadItem; name: string }) {
  const percent = percentOf(item)
  if (item.status === 'ready') return <p className="text-leaf text-sm">Ready</p>
  const words = item.status === 'waiting' ? 'Waiting' : item.status === 'sending' ? `${percent}% uploaded` : 'Processing'
  return (
    <div className="grid gap-1.5 pt-1">
      <Progress label={`Uploading ${name}`} value={item.status === 'processing' ? undefined : percent} />
      <p className="text-muted text-sm tabular-nums">{words}</p>
    </div>
  )
}

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

/** A reload interrupted the upload. The server has the chunks sent so far, but the page lost the file. */
function Lost({ item, onFile }: { item: UploadItem; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-muted text-sm">{percentOf(item)}% was uploaded before you left the page. Choose the file again to continue.</p>
      {item.error && <FieldError>{item.error}</FieldError>}
      <FileInput
        ref={input}
        label={`Choose ${item.name} again`}
        accept={item.kind === 'image' ? acceptedImages : acceptedVideos}
        onFiles={([file]) => onFile(file)}
      />
      <Button variant="secondary" size="sm" onClick={() => input.current?.click()}>
        Choose file
      </Button>
    </div>
  )
}

function Thumbnail({ item, file }: { item: UploadItem; file: File | null }) {
  const url = useObjectUrl(item.kind === 'image' ? file : null)
  const [hasFailed, setFailed] = useState(false)

  if (item.media?.kind === 'image') return <MediaPicture media={item.media} sizes="80px" />
  if (url && !hasFailed) return <img src={url} alt="" className="size-full object-cover" onError={() => setFailed(true)} />
  const Icon = item.kind === 'image' ? ImageIcon : Film
  return (
    <span className="grid size-full place-items-center text-muted">
      <Icon aria-hidden="true" className="size-7" />
    </span>
  )
}

type UploadsOptions = {
  limit?: UploadLimit
  savesAlt?: boolean
}

const callsWithoutAlt = { ...mediaCalls, describe: async () => undefined }

/** Resumes uploads after a reload. `subject` identifies the form's draft in this tab. */
export function useUploads(subject: string, attached?: readonly Media[], { limit = postLimit, savesAlt = false }: UploadsOptions = {}) {
  const [uploads] = useState(() =>
    createUploads({
      subject,
      attached: attached ?? [],
      calls: savesAlt ? callsWithoutAlt : mediaCalls,
      chunkBytes: uploadChunkBytes,
      limit,
    }),
  )
  useEffect(() => {
    uploads.open()
    return () => uploads.close()
  }, [uploads])
  return { uploads, state: useSyncExternalStore(uploads.subscribe, uploads.get) }
}
