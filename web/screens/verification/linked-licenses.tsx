import { useMutation, useQueryClient } from '@tanstack/react-query'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { requestVerification } from '#contracts/calls/verification.ts'
import type { RegisterLicense } from '#contracts/verification.ts'
import { refreshLicense } from '#web/entities/verification/verification.api.ts'
import { requestedWords } from '#web/entities/verification/verification-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast-store.ts'

type LinkedLicensesProps = { businessId: string; licenses: readonly RegisterLicense[]; verifiedNumber: string | null }

export function LinkedLicenses({ businessId, licenses, verifiedNumber }: LinkedLicensesProps) {
  return (
    <ul className="grid gap-3">
      {licenses.map((license) => (
        <li key={license.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-input border border-line p-4">
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium wrap-anywhere">{license.licenseNumber}</p>
            <p className="text-muted text-sm wrap-anywhere">
              {[license.businessName, license.licenseType ?? businessTypeLabels[license.businessType]].join(' · ')}
            </p>
          </div>
          <LicenseStatus
            license={license}
            businessId={businessId}
            isVerified={license.licenseNumber === verifiedNumber}
            replaces={verifiedNumber !== null}
          />
        </li>
      ))}
    </ul>
  )
}

type LicenseStatusProps = {
  license: RegisterLicense
  businessId: string
  isVerified: boolean
  /** Another license is verified and would be replaced. */
  replaces: boolean
}

function LicenseStatus({ license, businessId, isVerified, replaces }: LicenseStatusProps) {
  const client = useQueryClient()
  const { licenseNumber, state, businessName, businessType, standing, status } = license
  const verify = useMutation({
    mutationFn: () =>
      call(requestVerification, {
        params: { id: businessId },
        body: { licenseNumber: licenseNumber ?? '', state, licenseName: businessName, businessType },
      }),
    onSuccess: async (verification) => {
      toast(requestedWords(verification))
      await refreshLicense(client)
    },
    onError: (error) => toast({ title: 'The license wasn’t verified', description: messageOf(error), variant: 'destructive' }),
  })
  if (isVerified) return <Badge variant="leaf">Verified</Badge>
  if (standing !== 'listed')
    return <Badge variant="clay">{standing === 'missing' ? 'No longer in the register' : (status ?? 'Not active')}</Badge>
  return (
    <Button
      size="sm"
      variant={replaces ? 'secondary' : 'primary'}
      onClick={() => verify.mutate()}
      pending={verify.isPending}
      pendingText="Checking..."
    >
      {replaces ? 'Use this one instead' : 'Verify'}
      <span className="sr-only"> {licenseNumber}</span>
    </Button>
  )
}
