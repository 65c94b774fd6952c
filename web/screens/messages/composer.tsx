import { ImageIcon, ImagePlus, SendHorizontal, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { Media } from '#contracts/media.ts'
import type { Conversation } from '#contracts/messages.endpoints.ts'
import { containsLink, maxMessageLength, maxMessagePhotos, maxRequestLength } from '#contracts/messages.rules.ts'
import { acceptedImages, kindOf } from '#web/entities/media/check-file.ts'
import { FileInput, useObjectUrl } from '#web/entities/media/file-choice.tsx'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { mediaCalls } from '#web/entities/media/upload-file.ts'
import { createUploads, percentOf, type UploadItem, type Uploads } from '#web/entities/media/upload-store.ts'
import { useFileDrop } from '#web/entities/media/use-file-drop.ts'
import { draftKey } from '#web/entities/messages/messages.api.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FieldError, FormError } from '#web/ui/field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { participantName } from './participant.tsx'
import { useTypingSignal } from './use-messages.ts'

type ComposerProps = {
  conversation: Conversation
  hasUnsent: boolean
  onSend: (content: string, media: Media[]) => void
}

/** With an on-screen keyboard, Enter inserts a line break, and a button sends the message. */
const hasKeyboard = () => window.matchMedia('(pointer: fine)').matches

type PendingSend = {
  uploads: Uploads
  text: string
  /** An error message, or null if the message was sent. */
  problem: Promise<string | null>
  isShown: boolean
}

/** Messages waiting for their photos, by draft. They're sent even if the conversation is closed in the meantime. */
const pendingSends = new Map<string, PendingSend>()

function sendWithPhotos(memory: string, uploads: Uploads, text: string, onSend: ComposerProps['onSend']): PendingSend {
  const pending: PendingSend = { uploads, text, isShown: true, problem: run().catch(messageOf) }
  async function run() {
    if ((await uploads.settle()) === null) return 'A photo couldn’t be uploaded. Retry or remove it, then send.'
    const media = uploads.get().items.flatMap(({ media, alt }) => (media ? [{ ...media, alt }] : []))
    uploads.finish()
    const draft = getTabItem(memory)
    if (typeof draft === 'string') saveDraft(memory, textAfter(draft, text))
    onSend(text.trim(), media)
    return null
  }
  pendingSends.set(memory, pending)
  void pending.problem.then((problem) => {
    pendingSends.delete(memory)
    if (problem === null || pending.isShown) return
    uploads.close()
    toast({ title: 'Your message wasn’t sent', description: problem, variant: 'destructive' })
  })
  return pending
}

/** Text typed while photos were uploading belongs to the next message. */
const textAfter = (draft: string, sent: string): string => (draft.startsWith(sent) ? draft.slice(sent.length).trimStart() : draft)

const saveDraft = (memory: string, text: string): void => (text === '' ? removeTabItem(memory) : setTabItem(memory, text))

/** Saves a draft per conversation, which survives a reload. */
export function Composer({ conversation, hasUnsent, onSend }: ComposerProps) {
  const { id, abilities, sendsRequest, isRequest, isPending } = conversation
  const name = participantName(conversation.participant)
  const fieldId = useId()
  const memory = draftKey(useCurrentUser()?.id, id)
  const [text, setText] = useState(() => {
    const stored = getTabItem(memory)
    return typeof stored === 'string' ? stored : ''
  })
  const [pending, setPending] = useState(() => pendingSends.get(memory))
  const isWaiting = pending !== undefined
  const [failure, setFailure] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const photos = useMessagePhotos(memory)
  const { isOver, handlers } = useFileDrop((files) => abilities.sendPhotos && photos.add(files))
  const sendTyping = useTypingSignal(id, !isRequest && !isPending && !sendsRequest)
  const error = draftProblem(text, sendsRequest) ?? failure

  useEffect(() => {
    // Don't focus the field on phones, where an on-screen keyboard would cover the messages.
    if (hasKeyboard()) field.current?.focus({ preventScroll: true })
  }, [])

  /** The current text, for a message that waited for its photos. */
  const latest = useRef(text)
  const save = (next: string) => {
    latest.current = next
    setText(next)
    saveDraft(memory, next)
  }

  const change = (next: string) => {
    save(next)
    setFailure(null)
    if (next.trim() !== '') sendTyping()
  }

  const finishSend = useEffectEvent(({ text: sent }: PendingSend, problem: string | null) => {
    setPending(undefined)
    setFailure(problem)
    if (problem !== null) return
    photos.renew()
    save(textAfter(latest.current, sent))
  })

  useEffect(() => {
    if (!pending) return
    pending.isShown = true
    void pending.problem.then((problem) => pending.isShown && finishSend(pending, problem))
    return () => {
      pending.isShown = false
    }
  }, [pending])

  function send() {
    const content = text.trim()
    if (isWaiting || draftProblem(text, sendsRequest) !== null || (content === '' && photos.items.length === 0)) return
    setFailure(null)
    if (photos.items.length > 0) {
      const sending = sendWithPhotos(memory, photos.uploads, text, onSend)
      setPending(sending)
      void sending.problem.then((problem) => problem === null && field.current?.focus())
      return
    }
    save('')
    onSend(content, [])
    field.current?.focus()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // Enter may also confirm IME input, as in Japanese.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (!hasKeyboard() && !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
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
          {name} will get this as a message request. Up to 1,000 characters, without photos or links.
        </p>
      )}
      <ComposerPhotos photos={photos} />
      <div className="flex items-end gap-1.5 sm:gap-2">
        {abilities.sendPhotos && (
          <>
            <IconButton label="Add photos" onClick={() => input.current?.click()}>
              <ImagePlus aria-hidden="true" />
            </IconButton>
            <FileInput
              ref={input}
              multiple
              accept={acceptedImages}
              label="Photos to send"
              onFiles={(files) => {
                photos.add(files)
                field.current?.focus()
              }}
            />
          </>
        )}
        <Textarea
          ref={field}
          id={fieldId}
          aria-label={`Message to ${name}`}
          placeholder={isRequest ? 'Replying accepts the request' : 'Write a message'}
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
        {hasUnsent ? 'Messages will be sent in the order you wrote them.' : 'Enter to send, Shift+Enter for a new line'}
      </p>
    </form>
  )
}

function ComposerPhotos({ photos }: { photos: MessagePhotos }) {
  const { items, notice, uploads } = photos
  return (
    <>
      {items.length > 0 && (
        <ul aria-label="Photos in this message" className="mb-2.5 grid max-h-56 gap-2 overflow-y-auto">
          {items.map((item, index) => (
            <Photo key={item.key} item={item} name={item.name || `Photo ${index + 1}`} file={uploads.fileOf(item.key)} uploads={uploads} />
          ))}
        </ul>
      )}
      <FormError className="mb-2">{notice}</FormError>
    </>
  )
}

type PhotoProps = { item: UploadItem; name: string; file: File | null; uploads: MessagePhotos['uploads'] }

function Photo({ item, name, file, uploads }: PhotoProps) {
  const { key, status, error, canRetry } = item
  const isUnderWay = status === 'waiting' || status === 'sending' || status === 'processing'
  return (
    <li className="flex items-center gap-3">
      <span className="relative size-12 shrink-0 overflow-clip rounded-input bg-sunk">
        <Thumbnail item={item} file={file} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        {status === 'failed' || status === 'lost' ? (
          <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <FieldError>{status === 'lost' ? `“${name}” wasn’t fully uploaded. Remove it and choose it again.` : error}</FieldError>
            {canRetry && (
              <Button variant="secondary" size="sm" onClick={() => uploads.retry(key)}>
                Retry
              </Button>
            )}
          </div>
        ) : (
          <Input
            aria-label={`Description of ${name}`}
            placeholder="Describe it for people who can’t see it"
            value={item.alt}
            maxLength={300}
            autoComplete="off"
            onChange={(event) => uploads.setAlt(key, event.target.value)}
            onBlur={() => uploads.saveAlt(key)}
          />
        )}
        {isUnderWay && <Progress label={`Uploading ${name}`} value={status === 'processing' ? undefined : percentOf(item)} />}
      </div>
      <IconButton label={isUnderWay ? `Cancel ${name}` : `Remove ${name}`} size="sm" onClick={() => uploads.remove(key)}>
        <X aria-hidden="true" />
      </IconButton>
    </li>
  )
}

function Thumbnail({ item, file }: { item: UploadItem; file: File | null }) {
  const url = useObjectUrl(file)
  if (item.media) return <MediaPicture media={{ ...item.media, alt: '' }} sizes="48px" />
  if (url) return <img src={url} alt="" className="size-full object-cover" />
  return <ImageIcon aria-hidden="true" className="absolute inset-0 m-auto size-6 text-muted" />
}

/** Photos upload while someone writes, and survive a reload. */
function useMessagePhotos(memory: string) {
  const make = () => createUploads({ subject: `messages.${memory}`, calls: mediaCalls, chunkBytes: uploadChunkBytes })
  const [uploads, setUploads] = useState(() => pendingSends.get(memory)?.uploads ?? make())
  const [notice, setNotice] = useState<string | null>(null)
  useEffect(() => {
    uploads.open()
    return () => {
      if (pendingSends.get(memory)?.uploads !== uploads) uploads.close()
    }
  }, [uploads, memory])
  const state = useSyncExternalStore(uploads.subscribe, uploads.get)
  return {
    uploads,
    items: state.items,
    notice,
    add(files: readonly File[]) {
      const photos = files.filter((file) => kindOf(file) === 'image')
      const room = Math.max(0, maxMessagePhotos - state.items.length)
      uploads.add(photos.slice(0, room))
      setNotice(
        photos.length > room
          ? `A message can have at most ${maxMessagePhotos} photos`
          : photos.length < files.length
            ? 'A message can include photos, but no other files'
            : null,
      )
    },
    /** Call after the photos have been sent. */
    renew() {
      setNotice(null)
      setUploads(make)
    },
  }
}

type MessagePhotos = ReturnType<typeof useMessagePhotos>

/** Null if the text can be sent. Requests have a shorter limit. */
export function draftProblem(text: string, isRequest: boolean): string | null {
  const maxLength = isRequest ? maxRequestLength : maxMessageLength
  const over = text.trim().length - maxLength
  if (over > 0) {
    return `${formatNumber(over)} ${over === 1 ? 'character' : 'characters'} too long. ${isRequest ? 'Requests' : 'Messages'} can have at most ${formatNumber(maxLength)}.`
  }
  return isRequest && containsLink(text) ? 'Requests can’t include links. Send the link once your request is accepted.' : null
}
