import type { QueryClient } from '@tanstack/react-query'
import { getQueueCounts } from '#contracts/calls/admin.ts'
import { getBusiness, listBusinesses } from '#contracts/calls/businesses.ts'
import { getVerification, listWaitingVerifications } from '#contracts/calls/verification.ts'
import { callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'

export const licenseStateOptions = (businessId: string) => callOptions(getVerification, { params: { id: businessId } })

export const waitingVerificationsOptions = pagesOptions(listWaitingVerifications, {})

export const refreshLicense = (client: QueryClient): Promise<void> => refreshCalls(client, [getVerification, getBusiness, listBusinesses])

/** Call after a decision. Also refetches the pending counts. */
export const refreshLicenseQueue = (client: QueryClient): Promise<void> => refreshCalls(client, [listWaitingVerifications, getQueueCounts])
