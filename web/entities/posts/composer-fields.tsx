import { Camera, Film, Hash, ImagePlus, MapPin, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useRef, useState } from 'react'
import { acceptedImages, acceptedVideos } from '#web/entities/media/check-file.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

/** Touch-sized, because the buttons are close together. */
export const quickActionTarget = 'pointer-coarse:min-h-11'

type QuickActionsProps = {
  onFiles: (files: File[]) => void
  isPlaceShown?: boolean
  areTagsShown: boolean
  /** Omitted where posts can't have a place. */
  onPlace?: () => void
  onTags: () => void
  children?: ReactNode
}

export function QuickActions({ onFiles, isPlaceShown, areTagsShown, onPlace, onTags, children }: QuickActionsProps) {
  const photos = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const videos = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    // Lets people choose the same file again after removing it.
    input.value = ''
    if (files.length > 0) onFiles(files)
  }
  const hidden = {
    type: 'file',
    className: 'hidden',
    tabIndex: -1,
    onChange: (event: { currentTarget: HTMLInputElement }) => take(event.currentTarget),
  } as const
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the parts of one question
    <div role="group" aria-label="Add to your post" className="flex flex-wrap gap-2">
      <input {...hidden} ref={photos} accept={acceptedImages} multiple aria-label="Photos" />
      <input {...hidden} ref={camera} accept="image/*" capture="environment" aria-label="Camera" />
      <input {...hidden} ref={videos} accept={acceptedVideos} multiple aria-label="Videos" />
      <Button variant="secondary" size="sm" className={quickActionTarget} onClick={() => photos.current?.click()}>
        <ImagePlus aria-hidden="true" />
        Add Photo
      </Button>
      <Button variant="secondary" size="sm" className={`${quickActionTarget} pointer-fine:hidden`} onClick={() => camera.current?.click()}>
        <Camera aria-hidden="true" />
        Take Photo
      </Button>
      <Button variant="secondary" size="sm" className={quickActionTarget} onClick={() => videos.current?.click()}>
        <Film aria-hidden="true" />
        Add Video
      </Button>
      {onPlace && (
        <Button variant="secondary" size="sm" className={quickActionTarget} aria-expanded={isPlaceShown} onClick={onPlace}>
          <MapPin aria-hidden="true" />
          Add Location
        </Button>
      )}
      <Button variant="secondary" size="sm" className={quickActionTarget} aria-expanded={areTagsShown} onClick={onTags}>
        <Hash aria-hidden="true" />
        Add Tags
      </Button>
      {children}
    </div>
  )
}

type TagsFieldProps = {
  tags: readonly string[]
  error: string | undefined
  onChange: (tags: string[]) => void
  ref?: Ref<HTMLInputElement>
}

/** Enter, comma or blur adds a tag; Backspace in the empty field removes the last one. */
export function TagsField({ tags, error, onChange, ref }: TagsFieldProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  function add(words: string): boolean {
    const result = addTags(tags, words)
    if ('error' in result) {
      setProblem(result.error)
      return false
    }
    setProblem(null)
    setText('')
    if (result.tags.length !== tags.length) onChange(result.tags)
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === ',') {
      // Enter would submit the form.
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1))
  }

  return (
    <div className="grid gap-2">
      <Field label="Tags" optional hint="Press Enter after each one." error={problem ?? error}>
        <Input
          ref={ref}
          value={text}
          placeholder="harvest"
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="enter"
          maxLength={200}
          onChange={(event) => {
            setProblem(null)
            setText(event.target.value)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => text.trim() !== '' && add(text)}
        />
      </Field>
      {tags.length > 0 && (
        <ul aria-label="Chosen tags" className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li
              key={tag}
              className="flex min-h-8 items-center gap-0.5 rounded-full border border-line bg-sunk py-0.5 pr-0.5 pl-3 text-sm wrap-anywhere"
            >
              #{tag}
              <IconButton
                label={`Remove the tag ${tag}`}
                size="sm"
                className="size-7!"
                onClick={() => onChange(tags.filter((each) => each !== tag))}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const maxTags = 10

/** Normalizes as the server does: "#SourDiesel" → "sourdiesel". Null for invalid tags, such as "#Sour Diesel". */
function tagOf(text: string): string | null {
  const tag = text.trim().toLowerCase().replace(/^#/, '')
  return /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u.test(tag) ? tag : null
}

/** Adds each word of the text as a tag. @returns the new tags, or an error */
export function addTags(tags: readonly string[], text: string): { tags: string[] } | { error: string } {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const added = words.map(tagOf)
  if (added.includes(null)) return { error: 'A tag is one word of letters and numbers, up to 40 characters' }
  const all = [...new Set([...tags, ...(added as string[])])]
  return all.length > maxTags ? { error: 'At most 10 tags' } : { tags: all }
}
