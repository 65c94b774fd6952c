import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FieldGroup } from '#web/ui/field.tsx'
import { acceptedImages, pictureProblem } from './check-file.ts'
import { FileInput } from './file-choice.tsx'
import { UploadListView } from './upload-list-view.tsx'
import type { UploadState, Uploads } from './upload-store.ts'

type PictureFieldProps = {
  legend?: string
  thing?: 'picture' | 'logo'
  label: string
  hint: string
  current: string | null
  alt?: string
  className?: string
  isGone: boolean
  onGone: (isGone: boolean) => void
  uploads: Uploads
  state: UploadState
}

export function PictureField({
  legend = 'Picture',
  thing = 'picture',
  label,
  hint,
  current,
  alt = '',
  className,
  isGone,
  onGone,
  uploads,
  state,
}: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const hasNew = state.items.length > 0
  const shown = current && !isGone && !hasNew ? current : null

  function choose(file: File) {
    for (const { key } of state.items) uploads.remove(key)
    onGone(false)
    uploads.add([file], pictureProblem)
  }

  return (
    <FieldGroup legend={legend} hint={shown || hasNew ? undefined : hint}>
      {shown && <img src={shown} alt={alt} className={cx('rounded-input object-cover', className)} />}
      <UploadListView uploads={uploads} state={state} hasDescriptions={thing !== 'logo'} />
      <div className="flex flex-wrap gap-3">
        <FileInput ref={input} label={label} accept={acceptedImages} onFiles={([file]) => choose(file)} />
        <Button variant="secondary" onClick={() => input.current?.click()}>
          {shown || hasNew ? 'Choose another' : `Choose a ${thing}`}
        </Button>
        {shown && (
          <Button variant="quiet" onClick={() => onGone(true)}>
            Remove {thing}
          </Button>
        )}
        {isGone && (
          <Button variant="quiet" onClick={() => onGone(false)}>
            Keep {thing}
          </Button>
        )}
      </div>
    </FieldGroup>
  )
}
