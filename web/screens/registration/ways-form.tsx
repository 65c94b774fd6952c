import { Mail, Phone } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fieldErrors, isSignedOut } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { choiceWords } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'

type Errors = Readonly<Record<string, string>>
/** The register's contacts that can receive a code. */
type Contacts = { emailDomains: readonly string[]; phone: string | null }
export type Way<Other extends string> = 'email' | 'phone' | Other

/** The available ways, quickest first. */
export const openWays = <Other extends string>({ emailDomains, phone }: Contacts, other: Other): Way<Other>[] => [
  ...(emailDomains.length > 0 ? (['email'] as const) : []),
  ...(phone ? (['phone'] as const) : []),
  other,
]

/** Props for the fields of the third way. */
export type WayFields = {
  errors: Errors
  clearErrors: () => void
  onUploading: (isUploading: boolean) => void
  documentButton: RefObject<HTMLButtonElement | null>
}

type WaysFormProps<Other extends string> = {
  label: string
  intro?: ReactNode
  contacts: Contacts
  /** The way that works without a contact. */
  other: { way: Other; icon: ReactNode; title: string; description: string; submitText: string; fields: (form: WayFields) => ReactNode }
  way: Way<Other>
  email: string
  onWay: (way: Way<Other>) => void
  onEmail: (email: string) => void
  /** Errors by field; empty if the form can be sent. */
  check: () => Errors
  send: () => Promise<void>
  onFailure?: (error: unknown) => void
}

/** Proves control of a listing or license by a code sent to its contact in the register, or another way. */
export function WaysForm<Other extends string>({ contacts, other, way, email, check, send, onFailure, ...form }: WaysFormProps<Other>) {
  const { emailDomains, phone } = contacts
  const [errors, setErrors] = useState<Errors>({})
  const [isSending, setSending] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const documentButton = useRef<HTMLButtonElement>(null)
  const clearErrors = () => setErrors({})
  const isWaiting = way === other.way && isUploading
  const submitTexts: Record<Way<string>, string> = { email: 'Email me a code', phone: 'Request a call', [other.way]: other.submitText }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSending || isWaiting) return
    const element = event.currentTarget
    const show = (found: Errors) => {
      flushSync(() => setErrors(found))
      if (found.documentId) documentButton.current?.focus()
      element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
    const wrong = check()
    if (Object.keys(wrong).length > 0) return show(wrong)
    setSending(true)
    try {
      await send()
    } catch (error) {
      const found = fieldErrors(error)
      show(Object.keys(found).length > 0 ? found : { form: messageOf(error) })
      if (isSignedOut(error)) await refreshCurrentUser()
      else onFailure?.(error)
    } finally {
      setSending(false)
    }
  }

  const card = (value: Way<Other>, icon: ReactNode, title: string, description: string) => (
    <RadioCard
      name="way"
      value={value}
      icon={icon}
      title={title}
      description={description}
      checked={way === value}
      onChange={() => {
        clearErrors()
        form.onWay(value)
      }}
      className="p-3.5!"
    />
  )
  return (
    <Card asChild>
      <form noValidate onSubmit={submit} aria-label={form.label}>
        <CardBody className="grid gap-5 sm:p-6">
          {form.intro}
          {(emailDomains.length > 0 || phone) && (
            <RadioCards legend="How do you want to prove it?" className="gap-2! sm:grid-flow-row!">
              {emailDomains.length > 0 &&
                card(
                  'email',
                  <Mail aria-hidden="true" />,
                  'A code by email',
                  `To your address at ${choiceWords(emailDomains)}, the website in the register. This is the quickest way.`,
                )}
              {phone &&
                card(
                  'phone',
                  <Phone aria-hidden="true" />,
                  'A code by phone',
                  `Someone from ${brand.name} calls ${phone}, the number in the register, and reads you the code.`,
                )}
              {card(other.way, other.icon, other.title, other.description)}
            </RadioCards>
          )}
          {way === 'email' && (
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
                value={email}
                onChange={(event) => {
                  clearErrors()
                  form.onEmail(event.target.value)
                }}
              />
            </Field>
          )}
          {way === 'phone' && (
            <p className="text-muted text-sm">
              We make these calls ourselves, so it can take a few days. Ask the people who answer the phone to write down the code. You have
              7 days to enter it here.
            </p>
          )}
          {way === other.way && other.fields({ errors, clearErrors, onUploading: setUploading, documentButton })}
          <FormError>{errors.form}</FormError>
          <Button
            type="submit"
            size="lg"
            pending={isSending || isWaiting}
            pendingText={isSending ? 'Sending...' : 'Uploading...'}
            className="justify-self-start max-sm:w-full"
          >
            {submitTexts[way]}
          </Button>
        </CardBody>
      </form>
    </Card>
  )
}
