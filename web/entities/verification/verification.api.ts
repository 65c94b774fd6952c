import type { QueryClient } from '@tanstack/react-query'
import { getBusiness, listBusinesses } from '#contracts/businesses.ts'
import { getVerification, listWaitingVerifications } from '#contracts/verification.ts'
import { callOptions, pagesOptions } from '#web/lib/call-options.ts'

export const licenseStateOptions = (businessId: string) => callOptions(getVerification, { params: { id: businessId } })

export const waitingVerificationsOptions = pagesOptions(listWaitingVerifications, {})

export async function refreshLicense(client: QueryClient): Promise<void> {
  await Promise.all([getVerification, getBusiness, listBusinesses].map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
}
