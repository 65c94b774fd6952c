import { useQueryClient } from '@tanstack/react-query'
import { MessageSquareText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { openClaim } from '#contracts/calls/claims.ts'
import { type ClaimMethod, type ClaimOptions, NewClaim } from '#contracts/claims.ts'
import { cacheClaim, claimOptions, refreshClaim } from '#web/entities/claims/claims.api.ts'
import { DocumentField } from '#web/entities/verification/document-field.tsx'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { openWays, WaysForm } from './ways-form.tsx'

type Typed = { method: ClaimMethod; email: string; statement: string; documentId: string }

export function MethodForm({ slug, options }: { slug: string; options: ClaimOptions }) {
  const { business } = options
  const client = useQueryClient()
  const ways = openWays(options, 'review')
  const memory = `draft.claim.${business.id}`
  const [typed, setTyped] = useState<Typed>(() => ({
    method: ways[0] as ClaimMethod,
    email: '',
    statement: '',
    documentId: '',
    ...(recall(memory) as Partial<Typed> | undefined),
  }))
  useEffect(() => remember(memory, typed), [memory, typed])
  const change = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }))

  const method = ways.includes(typed.method) ? typed.method : 'review'
  const { email, statement, documentId } = typed
  const checked = NewClaim.safeParse({ method, businessId: business.id, email, statement, documentId: documentId || null })
  const { queryKey } = claimOptions(slug)
  return (
    <WaysForm
      label="Claim"
      contacts={options}
      way={method}
      email={email}
      onWay={(way) => change({ method: way })}
      onEmail={(email) => change({ email })}
      check={() => Object.fromEntries((checked.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]).reverse())}
      send={async () => {
        const claim = await call(openClaim, { body: checked.data as NewClaim })
        forget(memory)
        cacheClaim(client, queryKey, claim)
        // A claim made during registration completes onboarding.
        await refreshCurrentUser()
      }}
      // Someone else may have claimed it.
      onFailure={() => void refreshClaim(client, queryKey)}
      other={{
        way: 'review',
        icon: <MessageSquareText aria-hidden="true" />,
        title: 'Ask us to review it',
        description: 'Tell us your role in the business, and someone from our team will review it.',
        submitText: 'Send',
        fields: ({ errors, clearErrors, onUploading, documentButton }) => (
          <>
            <Field
              label="What is your role in this business?"
              error={errors.statement}
              hint="Also tell us what we can check: the name on the license, a page that names you, or a work number where we can reach you."
            >
              <Textarea
                rows={5}
                maxLength={2000}
                value={statement}
                onChange={(event) => {
                  clearErrors()
                  change({ statement: event.target.value })
                }}
              />
            </Field>
            <DocumentField
              legend="A document as a PDF, if you have one"
              hint="The license, a bill, or a letter from the authority. Only our reviewers see it, and we delete it after the decision."
              id={documentId}
              onChange={(documentId) => {
                clearErrors()
                change({ documentId })
              }}
              onBusy={onUploading}
              error={errors.documentId}
              ref={documentButton}
            />
          </>
        ),
      }}
    />
  )
}
