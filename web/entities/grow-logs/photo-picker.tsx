import { Camera, Images, X } from 'lucide-react'
import { useRef } from 'react'
import { maxPhotosOfLog } from '#contracts/limits.ts'
import { acceptedImages, type ChosenFile, fileProblem, kindOf } from '#web/entities/media/check-file.ts'
import { FileInput, useObjectUrl } from '#web/entities/media/file-choice.tsx'
import { counted } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast-store.ts'

const keyOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`

const photosOf = new Map<string, readonly File[]>()

/** Photos picked for a hunt's next log. They survive switching between the hunt's tabs, but not a reload. */
export const keptPhotos = (huntId: string): readonly File[] => photosOf.get(huntId) ?? []

/** Until the photos are saved or removed, no newer version of the app is offered. */
export function keepPhotos(huntId: string, photos: readonly File[]): void {
  if (photos.length > 0) photosOf.set(huntId, photos)
  else photosOf.delete(huntId)
  document.documentElement.toggleAttribute('data-unsaved', photosOf.size > 0)
}

type PhotoPickerProps = {
  photos: readonly File[]
  onChange: (photos: readonly File[]) => void
  others?: number
}

export function PhotoPicker({ photos, onChange, others = 0 }: PhotoPickerProps) {
  const camera = useRef<HTMLInputElement>(null)
  const gallery = useRef<HTMLInputElement>(null)
  const part = useRef<HTMLDivElement>(null)
  const room = maxPhotosOfLog - others - photos.length

  function add(files: readonly File[]) {
    const known = new Set(photos.map(keyOf))
    const left: File[] = []
    const good: File[] = []
    const problems = new Set<string>()
    for (const file of files) {
      if (known.has(keyOf(file))) continue
      known.add(keyOf(file))
      const problem = problemOfPhoto(file) ?? (good.length < room ? null : `A log can have up to ${maxPhotosOfLog} photos.`)
      if (problem === null) good.push(file)
      else {
        left.push(file)
        problems.add(problem)
      }
    }
    const [first] = left
    // Show one toast, because another would replace it.
    if (first) {
      const what = left.length === 1 ? `“${first.name}” was` : `${counted(left.length, 'file')} were`
      toast({ title: `${what} not added`, description: [...problems].join(' '), variant: 'destructive' })
    }
    onChange([...photos, ...good])
  }

  function remove(nth: number) {
    onChange(photos.filter((_photo, each) => each !== nth))
    // The removed photo's button had focus, so move it to the next one or to the add button.
    requestAnimationFrame(() => part.current?.querySelectorAll('button')[nth]?.focus())
  }

  return (
    <div ref={part} className="flex flex-wrap items-center gap-2">
      {photos.map((photo, nth) => (
        <Thumbnail key={keyOf(photo)} file={photo} onRemove={() => remove(nth)} />
      ))}
      {room > 0 && (
        <span className="flex flex-wrap gap-2">
          <Button variant="secondary" size="lg" onClick={() => camera.current?.click()}>
            <Camera aria-hidden="true" />
            Photo
          </Button>
          <Button variant="quiet" size="lg" className="px-3" onClick={() => gallery.current?.click()}>
            <Images aria-hidden="true" />
            Choose photos
          </Button>
        </span>
      )}
      <FileInput ref={camera} label="Take photos" accept={acceptedImages} onFiles={add} capture="environment" />
      <FileInput ref={gallery} label="Choose photos" accept={acceptedImages} onFiles={add} multiple />
    </div>
  )
}

function Thumbnail({ file, onRemove }: { file: File; onRemove: () => void }) {
  const url = useObjectUrl(file)
  return (
    <span className="relative size-18 rounded-input bg-sunk">
      {url && <img src={url} alt={file.name} className="size-full rounded-input object-cover" />}
      <IconButton label={`Remove ${file.name}`} size="sm" className="absolute top-0.5 right-0.5 bg-surface/85" onClick={onRemove}>
        <X aria-hidden="true" />
      </IconButton>
    </span>
  )
}

const problemOfPhoto = (file: ChosenFile): string | null =>
  kindOf(file) === 'video' ? 'This is a video. A log can include only photos.' : fileProblem(file)
