import type { Endpoint } from '#contracts/endpoint.ts'

/**
 * Keeps demo accounts, whose password is public, away from real data. `route` makes both checks for each write of a demo account; the
 * allowed calls are listed in features/demo/demo-account.ts.
 */
export type DemoGate = {
  /** Checked before the body is read. @throws AppError forbidden for a call that demo accounts may not make */
  requireListed(endpoint: Endpoint): void
  /** @throws AppError forbidden unless the call concerns demo content */
  requireDemoSubject(endpoint: Endpoint, input: { params: unknown; body: unknown }): Promise<void>
}
