import { Camera, Images, X } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { maxPhotosOfLog } from '../../../contracts/grow-logs.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { acceptedImages } from '../media/check-file.ts'
import { problemOfPhoto } from './photo-problem.ts'

/** The same file twice is one photo. */
const keyOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`

type PhotoPickerProps = {
  photos: readonly File[]
  onChange: (photos: readonly File[]) => void
  /** How many the log has besides. */
  others?: number
}

/** Takes photos with the phone's camera, or chooses them. They go with the log, when there is a network. */
export function PhotoPicker({ photos, onChange, others = 0 }: PhotoPickerProps) {
  const camera = useRef<HTMLInputElement>(null)
  const gallery = useRef<HTMLInputElement>(null)
  const room = maxPhotosOfLog - others - photos.length

  function add(files: readonly File[]) {
    const good: File[] = []
    for (const file of files) {
      const problem = problemOfPhoto(file)
      if (problem) toast({ title: 'This photo cannot be added', description: problem, variant: 'destructive' })
      else good.push(file)
    }
    if (good.length > room) toast({ title: `A log has at most ${maxPhotosOfLog} photos`, variant: 'destructive' })
    const known = new Set(photos.map(keyOf))
    onChange([...photos, ...good.filter((file) => !known.has(keyOf(file))).slice(0, Math.max(0, room))])
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      {photos.map((photo) => (
        <Thumbnail key={keyOf(photo)} file={photo} onRemove={() => onChange(photos.filter((each) => each !== photo))} />
      ))}
      {room > 0 && (
        <>
          <Button variant="secondary" size="lg" onClick={() => camera.current?.click()}>
            <Camera aria-hidden="true" />
            Photo
          </Button>
          <Button variant="quiet" size="lg" className="px-3" onClick={() => gallery.current?.click()}>
            <Images aria-hidden="true" />
            Choose
          </Button>
        </>
      )}
      <FileInput ref={camera} label="Take photos" onFiles={add} capture="environment" />
      <FileInput ref={gallery} label="Choose photos" onFiles={add} multiple />
    </div>
  )
}

type FileInputProps = Pick<ComponentProps<'input'>, 'capture' | 'multiple' | 'ref'> & {
  label: string
  onFiles: (files: readonly File[]) => void
}

const FileInput = ({ label, onFiles, ...props }: FileInputProps) => (
  <input
    {...props}
    type="file"
    accept={acceptedImages}
    tabIndex={-1}
    aria-label={label}
    className="hidden"
    onChange={(event) => {
      const files = [...(event.target.files ?? [])]
      event.target.value = ''
      if (files.length > 0) onFiles(files)
    }}
  />
)

function Thumbnail({ file, onRemove }: { file: File; onRemove: () => void }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <span className="relative size-14 overflow-hidden rounded-input bg-sunk">
      {url && <img src={url} alt={file.name} className="size-full object-cover" />}
      <IconButton label={`Remove ${file.name}`} size="sm" className="absolute top-0 right-0 bg-surface/85" onClick={onRemove}>
        <X aria-hidden="true" />
      </IconButton>
    </span>
  )
}
