import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { acceptedImages } from '../media/check-file.ts'
import { UploadListView } from '../media/upload-list-view.tsx'
import type { UploadState, Uploads } from '../media/upload-store.ts'

type PictureFieldProps = {
  /** The picture that is shown now. */
  current: string | null
  /** It goes with the next saving. */
  isGone: boolean
  onGone: (isGone: boolean) => void
  uploads: Uploads
  state: UploadState
}

/** The one picture of a community: the one it has, and the one that takes its place. */
export function PictureField({ current, isGone, onGone, uploads, state }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const hasNew = state.items.length > 0
  const shown = current && !isGone && !hasNew ? current : null
  const choose = (file: File) => {
    for (const { key } of state.items) uploads.remove(key)
    onGone(false)
    uploads.add([file])
  }
  return (
    <FieldGroup legend="Picture" hint={shown || hasNew ? undefined : 'Without one, a cover is drawn.'}>
      {shown && <img src={shown} alt="As it is shown now" className="h-24 w-40 rounded-input object-cover" />}
      <UploadListView uploads={uploads} state={state} />
      <div className="flex flex-wrap gap-3">
        <input
          ref={input}
          type="file"
          tabIndex={-1}
          aria-label="Picture of the community"
          accept={acceptedImages}
          className="hidden"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file) choose(file)
          }}
        />
        <Button variant="secondary" onClick={() => input.current?.click()}>
          {shown || hasNew ? 'Choose another' : 'Choose a picture'}
        </Button>
        {shown && (
          <Button variant="quiet" onClick={() => onGone(true)}>
            Remove picture
          </Button>
        )}
        {isGone && (
          <Button variant="quiet" onClick={() => onGone(false)}>
            Keep it after all
          </Button>
        )}
      </div>
    </FieldGroup>
  )
}
