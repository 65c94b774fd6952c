import { useRef, useState } from 'react'
import { FieldError } from '../../ui/field.tsx'
import type { UploadItem } from './upload-list.ts'
import { UploadRow } from './upload-row.tsx'
import type { UploadState, Uploads } from './upload-store.ts'

/** The chosen pictures and videos in their order, each with its progress, its words and its buttons. */
export function UploadListView({ uploads, state }: { uploads: Uploads; state: UploadState }) {
  const { items, notice } = state
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [said, setSaid] = useState('')

  function move(item: UploadItem, to: number) {
    uploads.move(item.key, to)
    setSaid(`${nameOf(item)} is now ${to + 1} of ${items.length}`)
  }

  function remove(item: UploadItem, index: number) {
    uploads.remove(item.key)
    setSaid(`${nameOf(item)} removed`)
    // The focus goes to what has moved up, so that Tab does not start at the top of the page.
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
              name={nameOf(item)}
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

const nameOf = ({ name, kind }: UploadItem): string => name || (kind === 'image' ? 'Photo' : 'Video')
