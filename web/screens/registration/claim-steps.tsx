import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { Mail, Phone, ShieldQuestion } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { enterClaimCode, resendClaimCode, withdrawClaim } from '#contracts/calls/claims.ts'
import { type Claim, ClaimCode } from '#contracts/claims.ts'
import { mailedCodeMinutes } from '#contracts/limits.ts'
import { cacheClaim, refreshClaim } from '#web/entities/claims/claims.api.ts'
import { isSignedOut, splitErrors } from '#web/forms/server-errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { choiceWords, localDateFormat } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { toast } from '#web/ui/toast-store.ts'

export function ClosedClaim({ claim: { status, closedBecause, reason, verificationId } }: { claim: Claim }) {
  const isLicense = verificationId !== null
  if (status === 'rejected') {
    return <ClaimNote title={isLicense ? 'We couldn’t verify your license by phone' : 'We couldn’t confirm your claim'}>{reason}</ClaimNote>
  }
  if (closedBecause === 'attempts') {
    const instead = isLicense ? 'Choose another way, or send us the license.' : 'Start again, or ask us to review it.'
    return <ClaimNote title="The code was wrong five times">{instead}</ClaimNote>
  }
  if (closedBecause === 'expired') return <ClaimNote title="The code expired">Start again.</ClaimNote>
  return null
}

export function ClaimNote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className="flex gap-3 rounded-input bg-clay-soft p-4 text-sm">
      <ShieldQuestion aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-clay" />
      <span>
        <strong className="block font-semibold">{title}</strong>
        {children}
      </span>
    </p>
  )
}

/** After withdrawing, people can start a new claim immediately. `optionsKey` is the key of the query that contains the claim. */
export function WithdrawClaim({ optionsKey, claim, text }: { optionsKey: QueryKey; claim: Claim; text: string }) {
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => call(withdrawClaim, { params: { id: claim.id } }),
    onSuccess: () => refreshClaim(client, optionsKey),
    onError: (error) => void toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <Button variant="quiet" size="lg" onClick={() => withdraw.mutate()} pending={withdraw.isPending}>
      {text}
    </Button>
  )
}

const day = localDateFormat({ weekday: 'long', month: 'long', day: 'numeric' })

type CodeStepProps = {
  claim: Claim
  optionsKey: QueryKey
  onRight: () => Promise<void>
}

export function CodeStep({ claim, optionsKey, onRight }: CodeStepProps) {
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const isMail = claim.method === 'email'
  // The button that requested the code, which had focus, was unmounted, so focus the field.
  useEffect(() => {
    if (isMail && document.activeElement === document.body) input.current?.focus()
  }, [isMail])

  const refuse = (error: Error) => {
    const { marked, rest } = splitErrors(error, ['code'])
    setWrong(marked.code ?? rest)
    input.current?.focus()
    // The claim may be closed or have fewer tries left.
    if (error instanceof ApiError) void refreshClaim(client, optionsKey)
  }
  const enter = useMutation({
    mutationFn: () => call(enterClaimCode, { params: { id: claim.id }, body: { code } }),
    onSuccess: onRight,
    onError: refuse,
  })
  const resend = useMutation({
    mutationFn: () => call(resendClaimCode, { params: { id: claim.id } }),
    onSuccess: (next) => {
      cacheClaim(client, optionsKey, next)
      setWrong(null)
      setCode('')
      toast({ title: 'We sent another code', description: 'The previous one no longer works.' })
      input.current?.focus()
    },
    onError: refuse,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (enter.isPending) return
    const checked = ClaimCode.safeParse(code)
    if (checked.success) return enter.mutate()
    setWrong(checked.error.issues[0]?.message ?? null)
    input.current?.focus()
  }

  return (
    <Card asChild>
      <form noValidate onSubmit={submit} aria-label="Code">
        <CardBody className="grid gap-5 sm:p-6">
          <div>
            <h2 className="text-xl">{isMail ? 'Enter the code from the email' : 'We’ll call you'}</h2>
            {isMail ? (
              <p className="mt-1.5 text-muted">
                We emailed a six-digit code to <strong className="font-semibold text-ink wrap-anywhere">{claim.email}</strong>. It works for{' '}
                {mailedCodeMinutes} minutes.
              </p>
            ) : (
              <p className="mt-1.5 text-muted">
                Someone from {brand.name} will call <strong className="font-semibold text-ink whitespace-nowrap">{claim.phone}</strong> and
                read out a six-digit code.{' '}
                {claim.codeExpiresAt &&
                  ` Enter it here by ${day.format(new Date(claim.codeExpiresAt))}. You can leave this page in the meantime.`}
              </p>
            )}
          </div>
          {claim.isCodeExpired && (
            <p className="font-medium text-clay text-sm">This code has expired.{claim.canResend && ' Request another one.'}</p>
          )}
          <Field label="Code" error={wrong} hint={isMail && 'It can take a minute. Check your spam folder, too.'}>
            <Input
              ref={input}
              value={code}
              inputMode="numeric"
              autoComplete="one-time-code"
              placeholder="000000"
              className="max-w-44 font-mono text-xl tracking-[0.3em]"
              onChange={(event) => {
                // People may paste spaces or the whole sentence.
                setCode(event.target.value.replace(/\D/g, '').slice(0, 6))
                setWrong(null)
              }}
            />
          </Field>
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" size="lg" pending={enter.isPending} pendingText="Checking...">
              Confirm
            </Button>
            {claim.canResend && (
              <Button variant="secondary" size="lg" onClick={() => resend.mutate()} pending={resend.isPending} pendingText="Sending...">
                Send another code
              </Button>
            )}
            <WithdrawClaim optionsKey={optionsKey} claim={claim} text="Choose another way" />
          </div>
        </CardBody>
      </form>
    </Card>
  )
}

type Errors = Readonly<Record<string, string>>
/** Contacts in the register that can receive a code. */
type Contacts = { emailDomains: readonly string[]; phone: string | null }
type Way<Other extends string> = 'email' | 'phone' | Other

/** The quickest way comes first. */
export const availableMethods = <Other extends string>({ emailDomains, phone }: Contacts, other: Other): Way<Other>[] => [
  ...(emailDomains.length > 0 ? (['email'] as const) : []),
  ...(phone ? (['phone'] as const) : []),
  other,
]

type WayFields = {
  errors: Errors
  clearErrors: () => void
  onUploading: (isUploading: boolean) => void
  documentButton: RefObject<HTMLButtonElement | null>
}

type WaysFormProps<Other extends string> = {
  label: string
  intro?: ReactNode
  contacts: Contacts
  /** A way that doesn't use the register's contacts, and the only one if the register has none. */
  other: {
    way: Other
    icon: ReactNode
    title: string
    description: string
    submitText: string
    /** Names of the form's fields in the server's errors. */
    names: readonly string[]
    fields: (form: WayFields) => ReactNode
  }
  way: Way<Other>
  email: string
  onWay: (way: Way<Other>) => void
  onEmail: (email: string) => void
  /** Empty if the form can be sent. */
  check: () => Errors
  send: () => Promise<void>
  onFailure?: (error: unknown) => void
}

/** A code goes to the contact in the register. `other` proves control in another way. */
export function ClaimMethodForm<Other extends string>({
  contacts,
  other,
  way,
  email,
  check,
  send,
  onFailure,
  ...form
}: WaysFormProps<Other>) {
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
      const names = way === other.way ? other.names : way === 'email' ? ['email'] : []
      const { marked, rest } = splitErrors(error, names)
      show(rest === null ? marked : { ...marked, form: rest })
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
                  `Someone from ${brand.name} will call ${phone}, the number in the register, and read you the code.`,
                )}
              {card(other.way, other.icon, other.title, other.description)}
            </RadioCards>
          )}
          {way === 'email' && (
            <Field
              label="Your business email"
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
