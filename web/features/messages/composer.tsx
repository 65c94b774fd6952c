import { ImagePlus, SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Media } from '../../../contracts/media.ts'
import type { Conversation } from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldError } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { acceptedImages } from '../media/check-file.ts'
import { useFileDrop } from '../media/use-file-drop.ts'
import { ComposerPhotos } from './composer-photos.tsx'
import { draftProblem } from './draft-problem.ts'
import { partyName } from './party.tsx'
import { useMessagePhotos } from './use-message-photos.ts'
import { useTellTyping } from './use-typing.ts'

type ComposerProps = {
  conversation: Conversation
  hasUnsent: boolean
  onSend: (content: string, media: Media[]) => void
}

/** Keys on the screen have an Enter that breaks the line, and a button beside the field that sends. */
const hasKeyboard = () => window.matchMedia('(pointer: fine)').matches

/** Where a message is written. What is in it stays over a reload, for each conversation by itself. */
export function Composer({ conversation, hasUnsent, onSend }: ComposerProps) {
  const { id, abilities, sendsRequest, isRequest, isPending } = conversation
  const name = partyName(conversation.with)
  const fieldId = useId()
  const memory = `messages.draft.${useCurrentUser()?.id}.${id}`
  const [text, setText] = useState(() => {
    const kept = recall(memory)
    return typeof kept === 'string' ? kept : ''
  })
  const [isWaiting, setWaiting] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const photos = useMessagePhotos(`messages.${memory}`)
  const { isOver, handlers } = useFileDrop((files) => abilities.sendPhotos && photos.add(files))
  const tellTyping = useTellTyping(id, !isRequest && !isPending && !sendsRequest)
  const error = draftProblem(text, sendsRequest) ?? failure

  useEffect(() => {
    // On a phone the keyboard would cover what there is to read.
    if (hasKeyboard()) field.current?.focus({ preventScroll: true })
  }, [])

  /** The text as it is now, for a send that waited for its photos. */
  const latest = useRef(text)
  const keep = (next: string) => {
    latest.current = next
    setText(next)
    if (next === '') forget(memory)
    else remember(memory, next)
  }

  const change = (next: string) => {
    keep(next)
    setFailure(null)
    if (next.trim() !== '') tellTyping()
  }

  async function send() {
    const content = text.trim()
    if (isWaiting || draftProblem(text, sendsRequest) !== null || (content === '' && photos.items.length === 0)) return
    let media: Media[] | null = []
    if (photos.items.length > 0) {
      setWaiting(true)
      try {
        media = await photos.ready()
        if (media === null) setFailure('A photo did not arrive. Retry or remove it, then send.')
      } catch (problem) {
        media = null
        setFailure(messageOf(problem))
      } finally {
        setWaiting(false)
      }
      if (media === null) return
      photos.finish()
    }
    setFailure(null)
    // Text that was typed while the photos uploaded is for the next message.
    keep(latest.current.startsWith(text) ? latest.current.slice(text.length).trimStart() : latest.current)
    onSend(content, media)
    field.current?.focus()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // The Enter that ends the input of a word, as in Japanese, is not for us.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (!hasKeyboard() && !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void send()
  }

  return (
    <form
      onSubmit={submit}
      noValidate
      {...handlers}
      className={cx('rounded-input', isOver && abilities.sendPhotos && 'outline-2 outline-leaf')}
    >
      {sendsRequest && (
        <p className="mb-2 px-1 text-muted text-sm">
          {name} gets this as a request and decides whether to answer. Up to 1,000 characters, without photos and links.
        </p>
      )}
      <ComposerPhotos photos={photos} />
      <div className="flex items-end gap-1.5 sm:gap-2">
        {abilities.sendPhotos && (
          <>
            <IconButton label="Add photos" onClick={() => input.current?.click()}>
              <ImagePlus aria-hidden="true" />
            </IconButton>
            <input
              ref={input}
              type="file"
              multiple
              tabIndex={-1}
              accept={acceptedImages}
              aria-label="Photos to send"
              className="hidden"
              onChange={(event) => {
                photos.add([...(event.target.files ?? [])])
                event.target.value = ''
                field.current?.focus()
              }}
            />
          </>
        )}
        <Textarea
          ref={field}
          id={fieldId}
          aria-label={`Message to ${name}`}
          placeholder={isRequest ? 'Answering accepts the request' : 'Write a message'}
          rows={1}
          value={text}
          enterKeyHint="enter"
          aria-invalid={error !== null}
          {...(error ? { 'aria-describedby': `${fieldId}-error` } : {})}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          className="max-h-40! min-h-10! resize-none! pointer-coarse:min-h-11!"
        />
        <Button
          type="submit"
          aria-label="Send"
          pending={isWaiting}
          disabled={text.trim() === '' && photos.items.length === 0}
          className="size-10 rounded-full! px-0! pointer-coarse:size-11"
        >
          {!isWaiting && <SendHorizontal aria-hidden="true" />}
        </Button>
      </div>
      {error && (
        <div role="alert" className="mt-1.5 px-1">
          <FieldError id={`${fieldId}-error`}>{error}</FieldError>
        </div>
      )}
      <p className="mt-1.5 hidden px-1 text-muted text-xs sm:pointer-fine:block">
        {hasUnsent ? 'Sent one after the other, in the order in which you wrote them.' : 'Enter sends, Shift and Enter begins a new line.'}
      </p>
    </form>
  )
}
