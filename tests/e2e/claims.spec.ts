import { expect, type Page } from '@playwright/test'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import type { ClaimOptions } from '#contracts/claims.ts'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { findBusinesses } from './directory.ts'
import { newBusiness, post, test } from './members.ts'
import { expectToast, fillSignUp, newPerson } from './people.ts'

/** Waits for text that matches the pattern in an email to the address. Returns what the pattern's group captures. */
async function mailTo(page: Page, address: string, pattern: RegExp): Promise<string> {
  let found: string | undefined
  await expect(async () => {
    const mails = await (await page.request.get('/dev/mail')).text()
    const article = mails.split('<article>').find((each) => each.includes(`To ${address}`))
    found = article?.match(pattern)?.[1]
    expect(found).toBeDefined()
  }).toPass()
  return found as string
}

/**
 * A random unclaimed listing with a website and a license number, from a quarter of the listings. Tests use different quarters, so they
 * don’t claim each other’s listings.
 */
async function claimableListing(
  asked: Page,
  quarter: 0 | 1 | 2 | 3,
): Promise<{ listing: BusinessSummary; number: string; domain: string }> {
  const listings = (await findBusinesses(asked, 'state=AK&limit=100')).filter(
    ({ id, website, isClaimed }) => website !== null && !isClaimed && Number.parseInt(id.slice(-6), 16) % 4 === quarter,
  )
  for (const listing of listings.sort(() => Math.random() - 0.5)) {
    const { emailDomains } = (await (await asked.request.get(`/api/businesses/${listing.id}/claim`)).json()) as ClaimOptions
    const { licenses } = (await (await asked.request.get(`/api/businesses/${listing.id}`)).json()) as Business
    const number = licenses[0]?.licenseNumber
    if (emailDomains[0] && number && number.length >= 4) return { listing, number, domain: emailDomains[0] }
  }
  throw new Error('No listing can be claimed.')
}

/** Fills in the wizard's steps before the one about the business. */
async function fillPersonalSteps(page: Page, owner: ReturnType<typeof newPerson>): Promise<void> {
  await page.goto('/business/register')
  const goOn = page.getByRole('button', { name: 'Continue' })
  await goOn.click()
  await page.getByLabel('Birthday (Must be 18+)').fill(owner.birthday)
  await goOn.click()
  await page.getByLabel('First Name').fill(owner.firstName)
  await page.getByLabel('Last Name').fill(owner.lastName)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await goOn.click()
}

test('offers an owner their listing during registration, verifies the claim by email, and invites a member', async ({
  page,
  newMember,
}) => {
  test.slow()
  const helper = await newMember({ firstName: 'Hazel', lastName: 'Keeper' })
  const { listing, number, domain } = await claimableListing(helper.page, 0)
  const owner = newPerson()

  await fillPersonalSteps(page, owner)
  await page.getByLabel('Business Type').selectOption('dispensary')
  await page.getByLabel('License Number').fill(number)
  await page.getByRole('listitem').filter({ hasText: listing.name }).getByRole('button', { name: 'This is mine' }).first().click()
  await expect(page.getByRole('region', { name: 'Your claim' })).toContainText(listing.name)
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page.getByRole('heading', { level: 1, name: `Claim ${listing.name}` })).toBeVisible()
  await expectAccessible(page)
  const address = page.getByLabel('Your business email')
  await address.fill(owner.email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect(address).toBeFocused()
  await expect(address).toHaveAccessibleDescription(/Enter an address at /)
  const mailbox = `${owner.email.split('@')[0]}@${domain}`
  await address.fill(mailbox)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  const code = await mailTo(page, mailbox, /Your code is (\d{6})/)
  await page.getByRole('textbox', { name: 'Code' }).fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('This isn’t the code. 4 tries are left.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Code' }).fill(` Your code is ${code}. It works for 15 minutes.`)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(new RegExp(`/business-dashboard\\?business=${listing.slug}`))
  await expect(page.getByRole('heading', { level: 1, name: listing.name })).toBeVisible()

  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByLabel('Email').fill(helper.user.email)
  await page.getByRole('radio', { name: 'Manager' }).check()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('region', { name: 'Invited' })).toContainText(helper.user.email)
  await expectAccessible(page)

  await helper.page.goto(await mailTo(page, helper.user.email, /href="[^"]*(\/invitations\/[\w-]+)[^"]*"/))
  await expect(helper.page.getByRole('heading', { level: 1, name: `Help run ${listing.name}` })).toBeVisible()
  await expectAccessible(helper.page)
  await helper.page.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(helper.page.getByRole('heading', { level: 2, name: '2 people' })).toBeVisible()
  await expect(helper.page.getByRole('listitem').filter({ hasText: helper.name })).toContainText('Manager')
  await helper.page.goBack()
  await expect(helper.page.getByRole('heading', { level: 1, name: 'This invitation has already been used' })).toBeVisible()

  const requests: string[] = []
  page.on('request', (request) => request.url().endsWith('/team/transfer') && requests.push(request.method()))
  // The invitation was accepted in another browser. Team refetches only when it is opened again.
  const sections = page.getByRole('navigation', { name: 'This business' })
  await sections.getByRole('link', { name: 'License' }).click()
  await expect(page.getByRole('region', { name: 'Invited' })).toHaveCount(0)
  await sections.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('button', { name: `Change ${helper.name}` }).click()
  await page.getByRole('menuitem', { name: 'Transfer ownership' }).click()
  await page.getByRole('button', { name: 'Transfer ownership' }).dblclick()
  await expect(page.getByText(`${helper.name} is now the owner`, { exact: true }).first()).toBeVisible()
  expect(requests).toEqual(['POST'])
})

test('finds the listing by the license number from sign-up before a duplicate is created', async ({ page, newMember }) => {
  test.slow()
  const helper = await newMember({ firstName: 'Hazel', lastName: 'Keeper' })
  const { listing, number } = await claimableListing(helper.page, 1)
  const answer = await page.request.post('/api/register', {
    data: { ...newPerson(), accountType: 'business', businessType: 'dispensary', licenseNumber: number },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign Up as Business' }).click()
  const offer = page.getByRole('region', { name: 'Is this your business?' })
  const decline = offer.getByRole('button', { name: /^(This isn’t|None of these is) my business$/ })
  await expect(offer.getByRole('listitem').first()).toContainText(listing.name)
  await expect(page.getByLabel('Business Name')).toHaveCount(0)
  await expectAccessible(page)
  await decline.click()
  await expect(page.getByLabel('Business Name')).toBeFocused()
  await expect(page.getByLabel('License Number')).toHaveValue('')

  // After a reload, the exact name and city lead to the same listing instead of a duplicate.
  await page.getByLabel('Business Name').fill(listing.name)
  await page.reload()
  await page.getByRole('button', { name: 'Sign Up as Business' }).click()
  await page.getByRole('combobox', { name: 'Location' }).fill(listing.location ?? '')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expect(offer).toBeFocused()
  await expect(offer.getByText(/to create a new page\.$/)).toBeVisible()
  await expect(offer.getByRole('listitem').first()).toContainText(listing.name)
  await expectAccessible(page)

  await decline.click()
  await page.getByLabel('License Number').fill(number)
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expect(page.getByLabel('License Number')).toHaveAccessibleDescription(/This license number belongs to “.+”\./)
  const claim = page.getByRole('link', { name: `Claim ${listing.name}` })
  await expect(claim).toHaveAttribute('href', new RegExp(`/business/register\\?claim=${listing.slug}$`))
  await expectAccessible(page)
  await page.getByLabel('License Number').fill('')
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expectToast(page, 'Success!', 'Your business profile has been created successfully.')
})

test('creates the account even if the business’s listing is found while the button is pressed', async ({ page, newMember }) => {
  const helper = await newMember({ firstName: 'Hazel', lastName: 'Keeper' })
  const { listing, number } = await claimableListing(helper.page, 3)
  const owner = newPerson()
  await fillPersonalSteps(page, owner)
  await page.getByLabel('Business Type').selectOption('dispensary')
  const lookUp = /\/api\/claims\/candidates\?.*licenseNumber=/
  const answer = await hold(page, lookUp)
  const asked = page.waitForRequest(lookUp)
  await page.getByLabel('License Number').fill(number)
  await asked
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Create Account' }).hover()
  await page.mouse.down()
  const found = page.waitForResponse(lookUp)
  answer()
  await (await found).finished()
  await page.clock.runFor(100)
  await page.mouse.up()
  await page.clock.resume()
  await expectToast(page, 'Welcome to Sungrove!', 'Your account has been created successfully.')
  await expect(page.getByRole('region', { name: 'Is this your business?' })).toContainText(listing.name)
})

test('takes a new owner from Register Your Business through sign-up to their license’s listing', async ({ page, newMember }) => {
  const helper = await newMember({ firstName: 'Hazel', lastName: 'Keeper' })
  const { listing, number } = await claimableListing(helper.page, 2)
  await page.goto('/landing')
  await page.getByRole('main').getByRole('link', { name: 'Register Your Business' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Join Sungrove to register your business' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Business' })).toBeChecked()
  await fillSignUp(page, newPerson())
  await page.getByLabel('Business Type').selectOption('dispensary')
  await page.getByLabel('License Number').fill(number)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/business/register')
  const offer = page.getByRole('region', { name: 'Is this your business?' })
  await expect(offer.getByRole('listitem').first()).toContainText(listing.name)
  await offer
    .getByRole('link', { name: `Claim it ${listing.name}` })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: `Claim ${listing.name}` })).toBeVisible()
})

test('remembers an invitation through sign-up and the profile, and shows the team’s business on Home', async ({ page, newMember }) => {
  const { page: owner } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(owner, 'Quarter Moon')
  const invited = newPerson()
  await post(owner, `/api/businesses/${business.id}/team/invitations`, { email: invited.email, role: 'staff' })
  const link = await mailTo(owner, invited.email, /href="[^"]*(\/invitations\/[^"]+)"/)

  await page.goto(link)
  await expect(page.getByText(`Olive Hart invited you to join ${business.name}`)).toBeVisible()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Join Sungrove to accept your invitation' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(invited.email)
  await fillSignUp(page, invited)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('combobox', { name: 'Location' }).fill('Denver, CO')
  await page.getByRole('button', { name: 'Create Profile' }).click()
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(page.getByRole('heading', { level: 2, name: '2 people' })).toBeVisible()
  await owner.goto(`/business/register?claim=${business.slug}`)
  await expect(owner.getByRole('heading', { level: 1, name: `You run ${business.name}` })).toBeVisible()

  // Staff get to the menu from Home and, on phones, from the bottom bar.
  await page.goto('/')
  const card = page.getByRole('region', { name: 'Your business', exact: true })
  await card.getByRole('link', { name: `Menu for ${business.name}` }).click()
  await expect(page).toHaveURL(new RegExp(`/business-dashboard/menu\\?business=${business.slug}`))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('navigation', { name: 'This business' }).getByRole('link', { name: 'Menu' })).toHaveAttribute(
    'aria-current',
    'page',
  )
})
