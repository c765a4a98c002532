import type { AppView, Screen } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import type { ConsoleServices } from '../services.js'
import { listOf } from '../state/ui-state.js'
import { activityScreen } from './activity/activity-screen.js'
import { alarmScreen } from './alarm/alarm-screen.js'
import { brokersScreen } from './cluster/brokers-screen.js'
import { dirScreen } from './cluster/dir-screen.js'
import { logDirsScreen } from './cluster/log-dirs-screen.js'
import { compareScreen } from './compare/compare-screen.js'
import { createPartitionLists } from './listing/partition-lists.js'
import { groupScreen } from './partitions/group-screen.js'
import { OVERVIEW_SCREEN, overviewScreen } from './partitions/overview-screen.js'
import { topicsScreen } from './partitions/topics-screen.js'
import { planScreens } from './plan.js'
import { commandScreen } from './repair/command-screen.js'
import { gateScreen } from './repair/gate-screen.js'
import { repairScreen } from './repair/repair-screen.js'
import { repairTextScreen } from './repair/repair-text-screen.js'
import { returnScreen } from './repair/return-screen.js'
import { reportScreen } from './report.js'
import { restoreScreen } from './restore.js'
import { TABS } from './tabs.js'

export const FIRST_SCREEN = OVERVIEW_SCREEN

/** Every screen of the console; those among TABS get their digit. */
export function createScreens(services: ConsoleServices): Screen<ConsoleData>[] {
  const lists = createPartitionLists()
  const byId = new Map<string, Screen<ConsoleData>>()
  const rowsBelow = (view: AppView<ConsoleData>) => {
    const below = view.ui.stack.at(-2)
    const screen = below === undefined ? undefined : byId.get(below.screen)
    return below === undefined ? null : (screen?.rows?.({ ...view, view: below, list: listOf(view.ui, below) }) ?? null)
  }
  const screens: readonly Screen<ConsoleData>[] = [
    overviewScreen(services, lists),
    groupScreen(services, lists),
    topicsScreen(services, lists),
    compareScreen(services, rowsBelow),
    alarmScreen(services),
    logDirsScreen(),
    dirScreen(),
    repairScreen(services),
    repairTextScreen(),
    gateScreen(services),
    returnScreen(),
    commandScreen(),
    brokersScreen(),
    ...planScreens(services),
    reportScreen(services),
    restoreScreen(services),
    activityScreen(),
  ]
  return screens.map((screen) => {
    const tab = TABS.find((one) => one.screen === screen.id)
    const whole = tab === undefined ? screen : { ...screen, tab: { digit: tab.digit, label: tab.label } }
    byId.set(whole.id, whole)
    return whole
  })
}
