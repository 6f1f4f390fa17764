// Oscar 4.2's order page calls this function, which no script defines any more.
oscar.dashboard.orders.initTable = oscar.dashboard.orders.initTable || function () {};
// Plain fields: the editor rewrites a description when a price is saved, calendar and mask a date that was typed.
oscar.dashboard.initWYSIWYG = function () {};
oscar.dashboard.initDatePickers = function () {};
oscar.dashboard.initMasks = function () {};
