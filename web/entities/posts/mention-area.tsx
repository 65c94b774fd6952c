import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useDeferredValue, useId, useImperativeHandle, useRef, useState } from 'react'
import { type Control, type FieldValues, useController } from 'react-hook-form'
import { suggestMentions } from '#contracts/calls/search.ts'
import { maxMentions } from '#contracts/limits.ts'
import type { NewMention } from '#contracts/posts.ts'
import type { MentionSuggestion } from '#contracts/search.endpoints.ts'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import { callOptions } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { isOnTheWay } from '#web/lib/query-client.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { floatingClass } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { type MentionQuery, mentionQueryAt, shiftMentions } from './mentions.ts'

export type MentionedText = { content: string; mentions: NewMention[] }

type MentionAreaProps = Omit<ComponentProps<typeof Textarea>, 'value' | 'onChange'> & {
  text: MentionedText
  onChange: (text: MentionedText) => void
  /** If not everyone can read the community, only its members are suggested. */
  communityId?: string | undefined
}

const textOf = (key: QueryKey = []): string => (key[2] as { q?: string } | undefined)?.q ?? ''

/** Suggests people and businesses after `@`. Arrow keys choose, Enter or Tab inserts, Escape closes. */
export function MentionArea({ text, onChange, communityId, ref, onKeyDown, onBlur, ...props }: MentionAreaProps) {
  const { content, mentions } = text
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => area.current as HTMLTextAreaElement)
  const [query, setQuery] = useState<MentionQuery | null>(null)
  const [active, setActive] = useState(0)
  // Deferred, so typing doesn't wait for the list.
  const q = useDeferredValue(query?.text.trim() ?? '')
  const isOpen = query !== null && q !== '' && mentions.length < maxMentions
  const found = useQuery({
    ...callOptions(suggestMentions, { query: { q, communityId } }),
    enabled: isOpen,
    placeholderData: (before, asked) => (isOnTheWay(textOf(asked?.queryKey), q) ? before : undefined),
  })
  const suggestions = isOpen ? (found.data ?? []) : []
  const chosen = Math.min(active, suggestions.length - 1)

  function follow(element: HTMLTextAreaElement, current: readonly NewMention[]) {
    const { value, selectionStart, selectionEnd } = element
    const next = selectionStart === selectionEnd ? mentionQueryAt(value, selectionStart, current) : null
    if (next?.text !== query?.text) setActive(0)
    setQuery(next)
  }

  function take({ kind, id: mentioned, name }: MentionSuggestion) {
    if (!query || !area.current) return
    const caret = area.current.selectionStart
    const after = `${content.slice(0, query.start)}@${name} ${content.slice(caret).replace(/^ /, '')}`
    const added: NewMention = { kind, id: mentioned, start: query.start, length: name.length + 1 }
    const kept = shiftMentions(mentions, content, after).filter(({ start }) => start !== query.start)
    onChange({ content: after, mentions: [...kept, added].sort((one, other) => one.start - other.start) })
    setQuery(null)
    const end = query.start + name.length + 2
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(end, end)
    })
  }

  /** Suggestions for an earlier text may not fit what has been typed since. */
  function fitsText({ name }: MentionSuggestion) {
    const typed = query?.text.trim() ?? ''
    return (typed === q && !found.isPlaceholderData) || name.toLowerCase().startsWith(typed.toLowerCase())
  }

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    const suggestion = suggestions[chosen]
    if (suggestion && !event.nativeEvent.isComposing && !event.ctrlKey && !event.metaKey) {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      const isTaken = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && fitsText(suggestion)
      if (step !== 0 || isTaken || event.key === 'Escape') event.preventDefault()
      if (step !== 0) return setActive((chosen + step + suggestions.length) % suggestions.length)
      if (isTaken) return take(suggestion)
      if (event.key === 'Escape') return setQuery(null)
    }
    onKeyDown?.(event)
  }

  return (
    <div className="relative">
      <Textarea
        {...props}
        ref={area}
        value={content}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(suggestions.length > 0 ? { 'aria-controls': `${id}-list`, 'aria-activedescendant': `${id}-${chosen}` } : {})}
        onChange={({ target }) => {
          const next = shiftMentions(mentions, content, target.value)
          onChange({ content: target.value, mentions: next })
          follow(target, next)
        }}
        onSelect={({ currentTarget }) => follow(currentTarget, mentions)}
        onKeyDown={handleKey}
        onBlur={(event) => {
          setQuery(null)
          onBlur?.(event)
        }}
      />
      <p role="status" className="sr-only">
        {isOpen && found.data && counted(suggestions.length, 'suggestion')}
      </p>
      {suggestions.length > 0 && <Suggestions id={id} of={suggestions} chosen={chosen} onTake={take} />}
    </div>
  )
}

type SuggestionsProps = {
  id: string
  of: readonly MentionSuggestion[]
  chosen: number
  onTake: (suggestion: MentionSuggestion) => void
}

function Suggestions({ id, of, chosen, onTake }: SuggestionsProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Mention"
      className={cx(floatingClass, 'absolute inset-x-0 top-full z-20 mt-1 max-h-72 max-w-sm overflow-y-auto p-1.5')}
    >
      {of.map((suggestion, at) => (
        <button
          key={suggestion.id}
          type="button"
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(suggestion)}
          className="flex min-h-10 w-full items-center gap-2.5 text-left rounded-[0.5rem] px-2.5 py-1.5 hover:bg-sunk aria-selected:bg-sunk pointer-coarse:min-h-11"
        >
          {suggestion.businessType === null ? (
            <Avatar id={suggestion.id} name={suggestion.name} imageUrl={suggestion.imageUrl} size="sm" />
          ) : (
            <BusinessThumb business={{ ...suggestion, type: suggestion.businessType }} className="size-8" />
          )}
          <span className="min-w-0">
            <span className="block truncate font-medium">{suggestion.name}</span>
            {suggestion.detail && <span className="block truncate text-muted text-sm">{suggestion.detail}</span>}
          </span>
        </button>
      ))}
    </div>
  )
}

type MentionFieldProps<Values extends FieldValues, Output> = Omit<MentionAreaProps, 'text' | 'onChange' | 'ref'> & {
  control: Control<Values, unknown, Output>
  label: string
  optional?: boolean | undefined
}

export function MentionField<Values extends MentionedText & FieldValues, Output>({
  control,
  label,
  optional,
  ...area
}: MentionFieldProps<Values, Output>) {
  // The values have both fields, but the form library's types can't express that.
  const form = control as unknown as Control<MentionedText>
  const content = useController({ control: form, name: 'content' })
  const mentions = useController({ control: form, name: 'mentions' })
  const { ref, onBlur } = content.field
  return (
    <Field label={label} optional={optional} error={content.fieldState.error?.message}>
      <MentionArea
        {...area}
        ref={ref}
        name="content"
        onBlur={onBlur}
        text={{ content: content.field.value, mentions: mentions.field.value }}
        onChange={(text) => {
          mentions.field.onChange(text.mentions)
          content.field.onChange(text.content)
        }}
      />
    </Field>
  )
}
