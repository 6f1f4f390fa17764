// Oscar 4.2's order page calls this function, which no script defines any more.
oscar.dashboard.orders.initTable = oscar.dashboard.orders.initTable || function () {};
