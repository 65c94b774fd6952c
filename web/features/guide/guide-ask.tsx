import { ArrowLeft, SendHorizontal } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxQuestionLength } from '../../../contracts/guide.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { recall, remember } from '../accounts/tab-memory.ts'
import { answerLines } from './answer-lines.ts'
import type { useAsk } from './guide.api.ts'
import { GuideLinks, GuideRecord } from './guide-links.tsx'

type Asking = ReturnType<typeof useAsk>

const draftKey = 'guide-question'

/** Where a question is typed. What is typed stays for the tab. */
export function AskForm({ asking }: { asking: Asking }) {
  const [question, setQuestion] = useState(() => String(recall(draftKey) ?? ''))
  const change = (text: string) => {
    setQuestion(text)
    remember(draftKey, text)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const text = question.trim()
    if (text === '' || asking.isPending) return
    asking.mutate(text, { onSuccess: () => change('') })
  }
  return (
    <form onSubmit={send} className="border-line border-t p-3">
      <Input
        aria-label="Ask the guide"
        placeholder="Ask for a place, or for help"
        value={question}
        maxLength={maxQuestionLength}
        autoComplete="off"
        enterKeyHint="send"
        onChange={(event) => change(event.target.value)}
        end={
          <IconButton type="submit" label="Ask" size="sm" disabled={question.trim() === ''}>
            <SendHorizontal aria-hidden="true" />
          </IconButton>
        }
      />
    </form>
  )
}

/** A question and what the guide answers, with where it has it from. */
export function AnswerView({ asking, onFollow }: { asking: Asking; onFollow: () => void }) {
  const { data, error, variables, isPending, reset } = asking
  const shown = data && answerLines(data)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (data) top.current?.scrollIntoView({ block: 'nearest' })
  }, [data])
  return (
    <div ref={top} className="grid gap-4">
      <Button variant="quiet" size="sm" className="-ml-2 justify-self-start" onClick={reset}>
        <ArrowLeft aria-hidden="true" />
        Checklist
      </Button>
      <p className="max-w-[85%] justify-self-end rounded-card bg-leaf-soft px-3 py-2 text-[0.9375rem] wrap-anywhere">{variables}</p>
      <div role="status" aria-busy={isPending} className="grid gap-3">
        {isPending && (
          <>
            <span className="sr-only">Looking it up...</span>
            <span aria-hidden="true">
              <SkeletonText lines={3} />
            </span>
          </>
        )}
        {error && <p className="text-[0.9375rem] text-clay">{messageOf(error, 'No answer came. Try again.')}</p>}
        {data && shown && (
          <>
            <p className="whitespace-pre-line text-[0.9375rem] wrap-anywhere">{shown.text}</p>
            {shown.records.length > 0 && (
              <ul className="grid">
                {shown.records.map(({ link, fact }) => (
                  <li key={link.path}>
                    <GuideRecord to={link} fact={fact} onFollow={onFollow} />
                  </li>
                ))}
              </ul>
            )}
            <GuideLinks links={shown.links} onFollow={onFollow} />
            {data.voice === 'model' && (
              <p className="text-muted text-xs">Worded by a language model from the pages above. It can be wrong; they say it exactly.</p>
            )}
          </>
        )}
      </div>
      {error && (
        <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => variables && asking.mutate(variables)}>
          Retry
        </Button>
      )}
    </div>
  )
}
