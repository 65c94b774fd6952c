import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileText, Mail, Phone } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { NewLicenseProof, type LicenseProof as Options, openLicenseProof } from '../../../contracts/claims.ts'
import { requestVerification, type Verification } from '../../../contracts/verification.ts'
import { messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { choiceWords } from '../../lib/list-words.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { fieldErrors, isSignedOut } from '../accounts/server-errors.ts'
import { DocumentField } from '../verification/document-field.tsx'
import { refreshLicense } from '../verification/verification.api.ts'
import { keepClaim, proofOptions } from './claims.api.ts'
import { ClosedClaim } from './closed-claim.tsx'
import { CodeStep } from './code-step.tsx'

/** Proves control of a license that matches the register: by a code to the contact there, or by the license as a PDF. */
export function LicenseProof({ request }: { request: Verification }) {
  const client = useQueryClient()
  const options = proofOptions(request.id)
  const { data, error, refetch, isFetching } = useQuery(options)
  if (!data) {
    if (!error) {
      return (
        <SkeletonGroup label="Loading the ways to prove it..." className="grid">
          <Skeleton className="h-72 rounded-card" />
        </SkeletonGroup>
      )
    }
    return (
      <ErrorState
        title="The ways to prove it could not be loaded"
        description={messageOf(error)}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  }
  if (data.claim?.status === 'open') {
    return (
      <CodeStep
        key={data.claim.id}
        claim={data.claim}
        optionsKey={options.queryKey}
        onRight={async () => {
          toast({ title: 'License verified', description: 'Your page shows it from now on.' })
          await refreshLicense(client)
        }}
      />
    )
  }
  return (
    <div className="grid gap-4">
      {data.claim && <ClosedClaim claim={data.claim} />}
      <ProofForm key={data.claim?.id} request={request} options={data} />
    </div>
  )
}

type Way = 'email' | 'phone' | 'document'

const submitTexts: Record<Way, string> = { email: 'Email me a code', phone: 'Ask for a call', document: 'Send for review' }

function ProofForm({ request, options: { emailDomains, phone } }: { request: Verification; options: Options }) {
  const client = useQueryClient()
  const ways: Way[] = [...(emailDomains.length > 0 ? (['email'] as const) : []), ...(phone ? (['phone'] as const) : []), 'document']
  const [chosen, setWay] = useState<Way>()
  const [email, setEmail] = useState('')
  const [documentId, setDocumentId] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isSending, setSending] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const documentButton = useRef<HTMLButtonElement>(null)
  const way = chosen && ways.includes(chosen) ? chosen : (ways[0] as Way)

  async function sendDocument() {
    const { licenseNumber, state, licenseName, businessType, statedExpiresOn: expiresOn } = request
    const body = { licenseNumber, state, licenseName, businessType, expiresOn, documentId }
    await call(requestVerification, { params: { id: request.businessId }, body })
    toast({ title: 'Sent for review', description: "Two members of our team will review it. We'll email you." })
    await refreshLicense(client)
  }

  async function askForCode(proof: NewLicenseProof) {
    const claim = await call(openLicenseProof, { params: { id: request.id }, body: proof })
    keepClaim(client, proofOptions(request.id).queryKey, claim)
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSending || (way === 'document' && isUploading)) return
    const form = event.currentTarget
    const show = (found: Record<string, string>) => {
      flushSync(() => setErrors(found))
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
    if (way === 'document' && documentId === '') {
      show({ documentId: 'Add the license as a PDF' })
      documentButton.current?.focus()
      return
    }
    const checked = way === 'document' ? null : NewLicenseProof.safeParse({ method: way, email })
    if (checked && !checked.success) return show({ email: checked.error.issues[0]?.message ?? '' })
    setSending(true)
    try {
      await (checked ? askForCode(checked.data) : sendDocument())
    } catch (error) {
      const found = fieldErrors(error)
      show(Object.keys(found).length > 0 ? found : { form: messageOf(error) })
      if (isSignedOut(error)) await refreshCurrentUser()
    } finally {
      setSending(false)
    }
  }

  const choose = (next: Way) => {
    setErrors({})
    setWay(next)
  }
  return (
    <Card asChild>
      <form noValidate onSubmit={submit} aria-label="Proof">
        <CardBody className="grid gap-5 sm:p-6">
          <div>
            <h2 className="text-xl">Prove that you control this license</h2>
            <p className="mt-1.5 text-muted">
              {ways.length > 1
                ? 'Your license matches the public register. Anyone can read the register, so your page shows the license as verified after one more step.'
                : 'The register lists no website or phone number that we can use, so we need the license itself.'}
            </p>
          </div>
          {ways.length > 1 && (
            <RadioCards legend="How do you want to prove it?" className="gap-2! sm:grid-flow-row!">
              {emailDomains.length > 0 && (
                <RadioCard
                  name="way"
                  value="email"
                  icon={<Mail aria-hidden="true" />}
                  title="A code by email"
                  description={`To your address at ${choiceWords(emailDomains)}, the website in the register. This is the quickest way.`}
                  checked={way === 'email'}
                  onChange={() => choose('email')}
                  className="p-3.5!"
                />
              )}
              {phone && (
                <RadioCard
                  name="way"
                  value="phone"
                  icon={<Phone aria-hidden="true" />}
                  title="A code by phone"
                  description={`Someone from ${brand.name} calls ${phone}, the number in the register, and reads it out. You have 7 days to enter it.`}
                  checked={way === 'phone'}
                  onChange={() => choose('phone')}
                  className="p-3.5!"
                />
              )}
              <RadioCard
                name="way"
                value="document"
                icon={<FileText aria-hidden="true" />}
                title="The license as a PDF"
                description="Two members of our team review it."
                checked={way === 'document'}
                onChange={() => choose('document')}
                className="p-3.5!"
              />
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
                  setErrors({})
                  setEmail(event.target.value)
                }}
              />
            </Field>
          )}
          {way === 'document' && (
            <DocumentField
              hint="Two members of our team will review it. No one else sees it."
              id={documentId}
              onChange={(id) => {
                setErrors({})
                setDocumentId(id)
              }}
              onBusy={setUploading}
              error={errors.documentId}
              ref={documentButton}
            />
          )}
          {errors.form && (
            <div role="alert">
              <FieldError>{errors.form}</FieldError>
            </div>
          )}
          <Button
            type="submit"
            size="lg"
            pending={isSending || (way === 'document' && isUploading)}
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
