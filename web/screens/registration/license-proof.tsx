import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { openLicenseProof } from '#contracts/calls/claims.ts'
import { requestVerification } from '#contracts/calls/verification.ts'
import { NewLicenseProof, type LicenseProof as Options } from '#contracts/claims.ts'
import type { Verification } from '#contracts/verification.ts'
import { cacheClaim, proofOptions } from '#web/entities/claims/claims.api.ts'
import { DocumentField } from '#web/entities/verification/document-field.tsx'
import { refreshLicense } from '#web/entities/verification/verification.api.ts'
import { call } from '#web/lib/call.ts'
import { LoadError } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { availableMethods, ClaimMethodForm, ClosedClaim, CodeStep } from './claim-steps.tsx'

export function LicenseProof({ request }: { request: Verification }) {
  const client = useQueryClient()
  const options = proofOptions(request.id)
  const { data, error, refetch, isFetching } = useQuery(options)
  if (!data) {
    if (!error) {
      return (
        <SkeletonGroup label="Loading your options..." className="grid">
          <Skeleton className="h-72 rounded-card" />
        </SkeletonGroup>
      )
    }
    return <LoadError title="Your options couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  if (data.claim?.status === 'open') {
    return (
      <CodeStep
        key={data.claim.id}
        claim={data.claim}
        optionsKey={options.queryKey}
        onRight={async () => {
          toast({ title: 'License verified', description: 'Your page now shows it.' })
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

function ProofForm({ request, options }: { request: Verification; options: Options }) {
  const client = useQueryClient()
  const ways = availableMethods(options, 'document')
  const [chosen, setWay] = useState<(typeof ways)[number]>()
  const [email, setEmail] = useState('')
  const [documentId, setDocumentId] = useState('')
  const way = chosen && ways.includes(chosen) ? chosen : (ways[0] as (typeof ways)[number])
  const proof = NewLicenseProof.safeParse({ method: way, email })

  async function sendDocument() {
    const { licenseNumber, state, licenseName, businessType, statedExpiresOn: expiresOn } = request
    const body = { licenseNumber, state, licenseName, businessType, expiresOn, documentId }
    await call(requestVerification, { params: { id: request.businessId }, body })
    toast({ title: 'Sent for review', description: 'Two members of our team will review your document. We’ll email you.' })
    await refreshLicense(client)
  }

  async function askForCode() {
    const claim = await call(openLicenseProof, { params: { id: request.id }, body: proof.data as NewLicenseProof })
    cacheClaim(client, proofOptions(request.id).queryKey, claim)
  }

  function check(): Record<string, string> {
    if (way === 'document') return documentId === '' ? { documentId: 'Add the license as a PDF' } : {}
    return proof.success ? {} : { email: proof.error.issues[0]?.message ?? '' }
  }

  return (
    <ClaimMethodForm
      label="Proof"
      contacts={options}
      way={way}
      email={email}
      onWay={setWay}
      onEmail={setEmail}
      check={check}
      send={way === 'document' ? sendDocument : askForCode}
      intro={
        <div>
          <h2 className="text-xl">Prove that you control this license</h2>
          <p className="mt-1.5 text-muted">
            {ways.length > 1
              ? 'Your license matches the public register. Anyone can read the register, so your page will show the license as verified after one more step.'
              : 'The register doesn’t list a website or phone number that we can use, so we need the license itself.'}
          </p>
        </div>
      }
      other={{
        way: 'document',
        icon: <FileText aria-hidden="true" />,
        title: 'The license as a PDF',
        description: 'Two members of our team will review it.',
        submitText: 'Send for review',
        names: ['documentId'],
        fields: ({ errors, clearErrors, onUploading, documentButton }) => (
          <DocumentField
            hint="Only our reviewers and your business’s owner and managers can see it."
            id={documentId}
            onChange={(id) => {
              clearErrors()
              setDocumentId(id)
            }}
            onBusy={onUploading}
            error={errors.documentId}
            ref={documentButton}
          />
        ),
      }}
    />
  )
}
