import '../react-mode.js'
import { Box } from 'ink'
import type { Profile } from '../../config/profiles.js'
import { type ConsoleEnd, runConsole } from '../app/run-console.js'
import type { AppView, Screen } from '../app/screen.js'
import { Lines } from '../components/lines.js'
import { List, listPosition } from '../components/list.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../layout/columns.js'
import { type Line, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import { createRows, type Rows } from '../state/rows.js'
import type { Terminal } from '../terminal/terminal.js'
import { colourToken } from '../theme.js'

interface PickerData {
  readonly profiles: readonly Profile[]
  /** The one that is being connected to. */
  readonly connecting: string | null
  /** Why the last one could not be reached, one line. */
  readonly problem: string | null
}

/** How the picker ended. `picked`: connected, and the screen is free. */
export type PickerEnd = ConsoleEnd | { readonly kind: 'picked' }

const COLUMNS: readonly ColumnSpec[] = [
  { title: 'cluster', min: 16, want: 30, cut: 'middle' },
  { title: 'servers', min: 16, want: 'rest' },
  { title: '', min: 9, want: 9 },
]

const SCREEN = 'clusters'

/** The saved clusters as a list; enter connects. Resolves when one is connected, or the list was left. */
export async function pickCluster(
  terminal: Terminal,
  profiles: readonly Profile[],
  connect: (profile: Profile) => Promise<string | null>,
): Promise<PickerEnd> {
  let picked = false
  const running = runConsole<PickerData>({
    terminal,
    screens: [
      clustersScreen(connect, () => {
        picked = true
      }),
    ],
    first: SCREEN,
    data: { profiles, connecting: null, problem: null },
    header: () => [[' ', span('title', 'kafka-recovery'), '  saved clusters']],
  })
  const end = await running.finished
  return picked && end.kind === 'quit' ? { kind: 'picked' } : end
}

function clustersScreen(
  connect: (profile: Profile) => Promise<string | null>,
  onPicked: () => void,
): Screen<PickerData> {
  const listRows = createRows<Profile>({
    key: ({ name }) => name,
    words: (profile) => `${labelOf(profile)} ${profile.name} ${serversOf(profile)}${readOnlyOf(profile)}`,
    sorts: [{ id: 'name', label: 'by name', compare: null }],
  })
  const rows = ({ data, list }: AppView<PickerData>): Rows<Profile> => listRows(data.profiles, list)
  return {
    id: SCREEN,
    title: 'Clusters',
    rows,
    render(view) {
      const { body, list, look, data } = view
      const widths = columnWidths(COLUMNS, body.columns - 3)
      const said = saidLines(data, body.columns)
      return (
        <Box flexDirection="column">
          <Lines lines={[['   ', ...titleSpans(COLUMNS, widths, look.glyphs.ellipsis)]]} width={body.columns} />
          <List
            rows={rows(view)}
            list={list}
            width={body.columns}
            height={Math.max(1, body.rows - 2 - said.length)}
            empty="no saved cluster passes the filter"
            row={(profile) =>
              rowSpans(
                COLUMNS,
                widths,
                [
                  span(profile.colour === undefined ? 'plain' : colourToken(profile.colour), labelOf(profile)),
                  serversOf(profile),
                  span('warning', readOnlyOf(profile)),
                ],
                look.glyphs.ellipsis,
              )
            }
          />
          <Lines lines={[...said, listPosition(rows(view), list, look.glyphs)]} width={body.columns} />
        </Box>
      )
    },
    actions: [
      {
        id: 'clusters.connect',
        keys: ['enter'],
        label: 'connect',
        hint: 'connect',
        hintOrder: 10,
        scope: SCREEN,
        enabled: ({ row, data }) => (data.connecting !== null ? `connecting to ${data.connecting}` : row !== null),
        async run({ control, row, data }) {
          const profile = data.profiles.find(({ name }) => name === row)
          if (profile === undefined) return
          control.update((before) => ({ ...before, connecting: labelOf(profile), problem: null }), 'now')
          const problem = await connect(profile)
          if (problem === null) {
            onPicked()
            control.quit(0)
            return
          }
          control.update(
            (before) => ({ ...before, connecting: null, problem: `${labelOf(profile)}: ${problem}` }),
            'now',
          )
        },
      },
    ],
  }
}

function saidLines({ connecting, problem }: PickerData, columns: number): Line[] {
  if (connecting !== null) return [[span('muted', `connecting to ${connecting}`)]]
  return problem === null ? [] : wrapSentence(problem, columns).map((text): Line => [span('danger', text)])
}

function labelOf({ label, name }: Profile): string {
  return label ?? name
}

function serversOf({ bootstrapServers, commandConfig }: Profile): string {
  return bootstrapServers ?? commandConfig ?? ''
}

function readOnlyOf({ readOnly }: Profile): string {
  return readOnly === true ? 'READ-ONLY' : ''
}
