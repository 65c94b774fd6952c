import { Fragment } from 'react'
import { keyScopes, type WebhookEvent, webhookEvents } from '#contracts/choices.ts'
import { callExamples, quickStart, sensorExamples, webhookExample, webhookPayload } from '#contracts/developer-texts.ts'
import { maxSentReadings, maxSyncItems, maxSyncItemsAtOnce, maxWebhooks } from '#contracts/limits.ts'
import { brand } from '#web/lib/boot.ts'
import { formatNumber } from '#web/lib/format.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { OutsideLink, PageLink, PublicPage, type PublicSection, SupportMail } from './public-page.tsx'

/** Every event also contains the business and a URL with details. */
const eventWords: Record<WebhookEvent, string> = {
  'menu.out_of_date': 'An item on the menu hasn’t been confirmed for a week. Sent once each time that happens.',
  'review.created': 'Someone reviewed the business.',
  'message.received': 'Someone wrote to the business.',
  'subscriber.created': 'Someone subscribed to the business.',
  'license.expiring': 'The license expires in 60, 30 or 7 days.',
}

function Code({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section tabIndex={0} aria-label={label} className="overflow-x-auto rounded-card border border-line bg-sunk p-4 text-sm">
      <pre className="leading-relaxed">
        <code>{children}</code>
      </pre>
    </section>
  )
}

/** Backticks mark `code`. */
const inline = (text: string) => text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={part}>{part}</code>))

const sections: readonly PublicSection[] = [
  {
    id: 'start',
    title: 'Start',
    body: (
      <>
        <p>Create a key in the dashboard under Menu, Connections. Then add your first menu item in five lines:</p>
        <Code label="Start">{quickStart}</Code>
        <p>
          The full reference is the{' '}
          <a href="/api/integrations/openapi.json" className={textLink}>
            OpenAPI document
          </a>
          , which tools can turn into a client. If you’d rather publish a file than call the API, enter the file’s address on the same
          screen.
        </p>
      </>
    ),
  },
  {
    id: 'keys',
    title: 'Keys',
    body: (
      <>
        <p>
          Send the key as <code>Authorization: Bearer</code> from a server, never from a web page. It works for one business and only for
          its scopes: {keyScopes.join(', ')}. It stops working when someone revokes it, when it expires, or when the person who created it
          can no longer manage connections.
        </p>
        <p>
          Errors have a status, a <code>code</code> and a <code>message</code> that says what to do. On 409, 429 and 503, wait for as long
          as <code>Retry-After</code> says, and send the call again. Repeating a call is safe.
        </p>
      </>
    ),
  },
  {
    id: 'calls',
    title: 'Calls',
    body: callExamples.map(({ id, title, call, about, curl }) => (
      <Fragment key={id}>
        <h3 id={id}>{title}</h3>
        <p>
          <code>{call}</code>
        </p>
        <p>{inline(about)}</p>
        <Code label={title}>{curl}</Code>
      </Fragment>
    )),
  },
  {
    id: 'limits',
    title: 'Limits',
    body: (
      <ul>
        <li>
          {formatNumber(maxSyncItems)} items and 10 MB per call. Up to {formatNumber(maxSyncItemsAtOnce)} items are applied immediately.
          Calls with more items return 202 with a sync to poll.
        </li>
        <li>One sync per menu at a time. Others get 409.</li>
        <li>{formatNumber(maxWebhooks)} webhooks per business.</li>
      </ul>
    ),
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    body: (
      <>
        <p>
          Add a webhook under Menu, Connections, and we call your server when something happens. The body contains the type, the time, IDs
          and a URL with details, but nothing about people:
        </p>
        <Code label="Webhook body">{webhookPayload}</Code>
        <ul>
          {webhookEvents.map((event) => (
            <li key={event}>
              <code>{event}</code>: {eventWords[event]}
            </li>
          ))}
        </ul>
        <p>
          Webhooks follow the <OutsideLink href="https://www.standardwebhooks.com">Standard Webhooks</OutsideLink> specification, so its
          libraries can check the signature:
        </p>
        <Code label="How to verify a webhook">{webhookExample}</Code>
        <ul>
          <li>Respond with 2xx within 15 seconds. Redirects aren’t followed.</li>
          <li>
            Otherwise, we try again nine times within three days, always with the same <code>webhook-id</code>. Then the webhook stops, and
            we notify the owner and managers.
          </li>
          <li>Respond with 410 to stop a webhook immediately.</li>
          <li>The order isn’t guaranteed. Compare the timestamps.</li>
          <li>For a day after you replace the secret, calls are signed with both the old and new secrets.</li>
          <li>Everything sent in the last 30 days is listed on the Connections screen and can be resent.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'brapi',
    title: 'Hunts through BrAPI',
    body: (
      <>
        <p>
          Growers’ programs can read pheno hunts, set them up and record scores through{' '}
          <OutsideLink href="https://brapi.org">BrAPI</OutsideLink> 2.1 at <code>/api/brapi/v2</code>.{' '}
          <code>GET /api/brapi/v2/serverinfo</code> lists the services and doesn’t need a key. All other calls need a person’s own key,
          created in Settings, as <code>Authorization: Bearer</code>.
        </p>
        <ul>
          <li>A hunt is a trial, each of its runs is a study, and each plant is an observation unit. The program is the hunt’s owner.</li>
          <li>
            Pages have up to 1,000 entries. Searches return their results immediately. Unsupported filters are listed in{' '}
            <code>metadata.status</code>.
          </li>
          <li>
            <code>POST</code> and <code>PUT /observations</code> check each row separately and are safe to repeat. Send an external
            reference with each new value.
          </li>
          <li>
            <code>POST</code> and <code>PUT</code> also write trials, studies, crosses, seed lots, germplasm, observation units, variables
            and samples, up to 200 entries per call, all or nothing. An entry with the same external reference is created only once, and
            repeating the <code>POST</code> doesn’t change it. A seed plant and the seeds of a cross complete entries that already exist, so
            each <code>POST</code> changes those entries. Germplasm, variables and seed lots name their trial in{' '}
            <code>additionalInfo.trialDbId</code>.
          </li>
        </ul>
        <p>
          The steps for Field Book and R are in the{' '}
          <PageLink to="/help" hash="programs">
            help center
          </PageLink>
          .
        </p>
      </>
    ),
  },
  {
    id: 'sensors',
    title: 'Sensors in grow rooms',
    body: (
      <>
        <p>
          With a room’s key, a sensor or its hub can add readings to a pheno hunt. To create the key, open the hunt’s Climate section and
          choose Connect a sensor. The key can only add readings to that room, and stops working when someone revokes it, or when the person
          who created it can no longer edit the hunt.
        </p>
        <Code label="Send a reading">{sensorExamples.one}</Code>
        <ul>
          <li>
            Each reading needs <code>temperature</code> and <code>humidity</code>. We compute the VPD. <code>leafTemperature</code>,{' '}
            <code>co2</code> in ppm and <code>unit</code> (C or F) are optional. Other fields are ignored. Numbers may be sent as text.
          </li>
          <li>
            <code>time</code> is ISO 8601 with a time zone, or Unix time in seconds. Without it, the reading gets its time of arrival.
          </li>
          <li>
            Send up to {formatNumber(maxSentReadings)} readings as an array, for example after an outage. If any is invalid, none are added.
          </li>
          <li>
            Another reading in the same second is skipped, so it’s safe to repeat a call whose readings have a <code>time</code>.
          </li>
          <li>60 calls a minute per key.</li>
        </ul>
        <Code label="Send several readings">{sensorExamples.several}</Code>
        <h3 id="home-assistant">Home Assistant</h3>
        <Code label="Home Assistant">{sensorExamples.homeAssistant}</Code>
        <h3 id="esphome">ESPHome</h3>
        <Code label="ESPHome">{sensorExamples.espHome}</Code>
      </>
    ),
  },
  {
    id: 'help',
    title: 'Help',
    body: (
      <p>
        Write to <SupportMail subject="Integrations" />. Owners can find the steps in the{' '}
        <PageLink to="/resources" hash="menus">
          business resources
        </PageLink>
        .
      </p>
    ),
  },
]

export function DevelopersPage() {
  return (
    <PublicPage
      title="For developers"
      lead={`Keep a menu on ${brand.name} in sync with a point of sale, and get notified of reviews, messages and more.`}
      sections={sections}
    />
  )
}
