import { useQueryClient } from '@tanstack/react-query'
import { Mail, MessageSquareText, Phone } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ClaimMethod, type ClaimOptions, NewClaim, openClaim } from '../../../contracts/claims.ts'
import { messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { choiceWords } from '../../lib/list-words.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { fieldErrors, isSignedOut } from '../accounts/server-errors.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { DocumentField } from '../verification/document-field.tsx'
import { claimOptions, keepClaim } from './claims.api.ts'

type Typed = { method: ClaimMethod; email: string; statement: string; documentId: string }

const submitTexts: Record<ClaimMethod, [text: string, pending: string]> = {
  email: ['Email me a code', 'Sending...'],
  phone: ['Ask for a call', 'Sending...'],
  review: ['Send', 'Sending...'],
}

/** Chooses how to prove that a listing is the person's own. */
export function MethodForm({ slug, options }: { slug: string; options: ClaimOptions }) {
  const { business, emailDomains, phone } = options
  const client = useQueryClient()
  const memory = `draft.claim.${business.id}`
  const [typed, setTyped] = useState<Typed>(() => ({
    method: emailDomains.length > 0 ? 'email' : phone ? 'phone' : 'review',
    email: '',
    statement: '',
    documentId: '',
    ...(recall(memory) as Partial<Typed> | undefined),
  }))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isSending, setSending] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const documentButton = useRef<HTMLButtonElement>(null)
  useEffect(() => remember(memory, typed), [memory, typed])

  const hasMail = emailDomains.length > 0
  const open: ClaimMethod[] = [...(hasMail ? (['email'] as const) : []), ...(phone ? (['phone'] as const) : []), 'review']
  const method = open.includes(typed.method) ? typed.method : 'review'
  const change = (part: Partial<Typed>) => {
    setErrors({})
    setTyped((before) => ({ ...before, ...part }))
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSending || (method === 'review' && isUploading)) return
    const form = event.currentTarget
    const show = (found: Record<string, string>) => {
      flushSync(() => setErrors(found))
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
    const checked = NewClaim.safeParse({
      method,
      businessId: business.id,
      email: typed.email,
      statement: typed.statement,
      documentId: typed.documentId || null,
    })
    if (!checked.success) {
      show(Object.fromEntries(checked.error.issues.map(({ path, message }) => [path.join('.'), message]).reverse()))
      return
    }
    setSending(true)
    try {
      const claim = await call(openClaim, { body: checked.data })
      forget(memory)
      keepClaim(client, claimOptions(slug).queryKey, claim)
      // A claim straight from the registration completes the onboarding.
      await refreshCurrentUser()
    } catch (error) {
      const found = fieldErrors(error)
      show(Object.keys(found).length > 0 ? found : { form: messageOf(error) })
      if (isSignedOut(error)) await refreshCurrentUser()
      // Someone may own it by now.
      else void client.invalidateQueries({ queryKey: claimOptions(slug).queryKey })
    } finally {
      setSending(false)
    }
  }

  const [text, pendingText] = submitTexts[method]
  return (
    <Card asChild>
      <form noValidate onSubmit={submit} aria-label="Claim">
        <CardBody className="grid gap-5 sm:p-6">
          {open.length > 1 && (
            <RadioCards legend="How do you want to prove it?" className="gap-2! sm:grid-flow-row!">
              {hasMail && (
                <RadioCard
                  name="method"
                  value="email"
                  icon={<Mail aria-hidden="true" />}
                  title="A code by email"
                  description={`To your address at ${choiceWords(emailDomains)}, the website in the register. This is the quickest way.`}
                  checked={method === 'email'}
                  onChange={() => change({ method: 'email' })}
                  className="p-3.5!"
                />
              )}
              {phone && (
                <RadioCard
                  name="method"
                  value="phone"
                  icon={<Phone aria-hidden="true" />}
                  title="A code by phone"
                  description={`Someone from ${brand.name} calls ${phone}, the number in the register, and reads it out.`}
                  checked={method === 'phone'}
                  onChange={() => change({ method: 'phone' })}
                  className="p-3.5!"
                />
              )}
              <RadioCard
                name="method"
                value="review"
                icon={<MessageSquareText aria-hidden="true" />}
                title="Ask us to review it"
                description="You tell us your role in the business, and someone from our team reviews it."
                checked={method === 'review'}
                onChange={() => change({ method: 'review' })}
                className="p-3.5!"
              />
            </RadioCards>
          )}
          {method === 'email' && (
            <Field
              label="Your email at the business"
              error={errors.email}
              hint={`It must end in ${choiceWords(emailDomains.map((domain) => `@${domain}`))}.`}
            >
              <Input
                type="email"
                inputMode="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                placeholder={`you@${emailDomains[0]}`}
                value={typed.email}
                onChange={(event) => change({ email: event.target.value })}
              />
            </Field>
          )}
          {method === 'phone' && (
            <p className="text-muted text-sm">
              A person calls, so it can take a few days. Ask the people who answer the phone to write the code down for you. You have 7 days
              to enter it here.
            </p>
          )}
          {method === 'review' && (
            <>
              <Field
                label="What is your role in this business?"
                error={errors.statement}
                hint="And what we can check: the name on the license, a page that names you, a number where we reach you at work."
              >
                <Textarea
                  rows={5}
                  maxLength={2000}
                  value={typed.statement}
                  onChange={(event) => change({ statement: event.target.value })}
                />
              </Field>
              <DocumentField
                legend="A document as a PDF, if you have one"
                hint="The license, a bill, or a letter from the authority. Only the people who review it see it, and we delete it after the decision."
                id={typed.documentId}
                onChange={(documentId) => change({ documentId })}
                onBusy={setUploading}
                error={errors.documentId}
                ref={documentButton}
              />
            </>
          )}
          {errors.form && (
            <div role="alert">
              <FieldError>{errors.form}</FieldError>
            </div>
          )}
          <Button
            type="submit"
            size="lg"
            pending={isSending || (method === 'review' && isUploading)}
            pendingText={isSending ? pendingText : 'Uploading...'}
            className="justify-self-start max-sm:w-full"
          >
            {text}
          </Button>
        </CardBody>
      </form>
    </Card>
  )
}
