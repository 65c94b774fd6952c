import { X } from 'lucide-react'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

type TagsFieldProps = {
  tags: readonly string[]
  error: string | undefined
  onChange: (tags: string[]) => void
  ref?: Ref<HTMLInputElement>
}

/** Tags as chips. Enter, comma or blur adds one; Backspace in the empty field removes the last. */
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

export const maxTags = 10

/** Normalizes as the server does: "#SourDiesel" → "sourdiesel". Null for invalid tags, such as "#Sour Diesel". */
function tagOf(text: string): string | null {
  const tag = text.trim().toLowerCase().replace(/^#/, '')
  return /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u.test(tag) ? tag : null
}

/** Adds the words of a text as tags. @returns the new tags, or an error */
export function addTags(tags: readonly string[], text: string): { tags: string[] } | { error: string } {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const added = words.map(tagOf)
  if (added.includes(null)) return { error: 'A tag is one word of letters and numbers, up to 40 characters' }
  const all = [...new Set([...tags, ...(added as string[])])]
  return all.length > maxTags ? { error: 'At most 10 tags' } : { tags: all }
}
